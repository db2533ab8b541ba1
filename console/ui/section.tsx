import type { ComponentChildren } from 'preact'

/** A part of a screen with a heading. A link to its id moves the focus here. */
export const Section = (props: {
  id: string
  title: string
  tools?: ComponentChildren
  children: ComponentChildren
}) => (
  <section id={props.id} class="section" tabIndex={-1} aria-labelledby={`${props.id}-title`}>
    <header class="tools">
      <h2 id={`${props.id}-title`}>{props.title}</h2>
      {props.tools}
    </header>
    {props.children}
  </section>
)
