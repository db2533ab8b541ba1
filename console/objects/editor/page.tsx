import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../../app/language.ts'
import { Icon } from '../../ui/icons.tsx'
import { Toasts } from '../../ui/toasts.tsx'

interface PageProps {
  title: string
  onClose: () => void
  children: ComponentChildren
  footer?: ComponentChildren
}

/** An editor that replaces a list, with its buttons at the lower edge of the window. */
export function Page({ title, onClose, children, footer }: PageProps) {
  const page = useRef<HTMLDivElement>(null)
  useEffect(() => {
    page.current?.querySelector<HTMLElement>('[autofocus]')?.focus()
    if (!page.current?.contains(document.activeElement)) page.current?.querySelector('h2')?.focus()
    return () => document.getElementById('content')?.focus()
  }, [])
  return (
    <div class="page-editor" ref={page}>
      <header class="dialog-head">
        <h2 tabIndex={-1}>{title}</h2>
        <button type="button" class="quiet square" aria-label={t().action.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div class="dialog-body">{children}</div>
      <div class="dialog-end">
        <Toasts />
        {footer && <footer class="dialog-foot">{footer}</footer>}
      </div>
    </div>
  )
}
