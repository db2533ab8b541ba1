import { useSignal } from '@preact/signals'
import { t } from '../../app/language.ts'
import type { EditedForm } from '../../objects/fields.tsx'
import { useProducts } from '../../objects/known-products.ts'
import { Field } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { DragHandle, MoveButtons } from '../../ui/sortable.tsx'
import { type MenuForm, newSection } from './menu-form.ts'
import { SectionItems } from './section-items.tsx'
import { createSectionPlan, sectionGroup } from './section-plan.ts'

/** Products of a menu above which sections are shown closed. */
const maxOpenItems = 200

/** The text below the title of a section. Most sections do not have one. */
function SectionDescription(props: { value: string; error: string | undefined; onInput: (text: string) => void }) {
  const { menus: texts } = t()
  const isOpen = useSignal(props.value !== '')
  if (isOpen.value) return <Field label={texts.sectionDescription} multiline {...props} />
  return (
    <div>
      <button
        type="button"
        class="quiet"
        onClick={({ currentTarget }) => {
          const card = currentTarget.closest('.section-card')
          isOpen.value = true
          requestAnimationFrame(() => card?.querySelector('textarea')?.focus())
        }}
      >
        <Icon name="plus" />
        {texts.addDescription}
      </button>
    </div>
  )
}

/** The sections of a menu, with their products. */
export function SectionList({ of }: { of: EditedForm<MenuForm> }) {
  const { menus: texts, action } = t()
  const plan = createSectionPlan(of)
  const { sections } = plan
  const ids = sections.flatMap(({ items }) => items)
  const opened = useSignal<ReadonlySet<string>>(new Set())
  useProducts(ids)
  return (
    <fieldset class="group">
      <legend>{texts.sections}</legend>
      {sections.length === 0 && <p class="hint">{texts.noSections}</p>}
      {sections.map((section, index) => {
        const name = section.title.trim() || texts.section(index + 1)
        const isOpen = ids.length <= maxOpenItems || opened.value.has(section.key)
        return (
          <fieldset
            key={section.key}
            class="section-card"
            aria-label={name}
            data-drag-group={sectionGroup}
            data-drag={section.key}
          >
            <div class="section-head">
              <DragHandle
                group={sectionGroup}
                onOver={(over, isAfter) => plan.dragSection(section.key, over, isAfter)}
              />
              <Field
                label={texts.sectionTitle}
                value={section.title}
                error={of.errorOf(`sections/${index}/title`)}
                onInput={(title) => plan.change(index, { title })}
              />
              <span class="moves">
                <MoveButtons
                  index={index}
                  count={sections.length}
                  names={{ up: action.up(name), down: action.down(name), remove: action.removeOf(name) }}
                  onMove={plan.moveSection}
                  onRemove={() => plan.set(sections.toSpliced(index, 1))}
                />
              </span>
            </div>
            <SectionDescription
              value={section.description}
              error={of.errorOf(`sections/${index}/description`)}
              onInput={(description) => plan.change(index, { description })}
            />
            {isOpen ? (
              <SectionItems plan={plan} at={index} />
            ) : (
              <div>
                <button
                  type="button"
                  aria-expanded={false}
                  onClick={() => (opened.value = new Set([...opened.value, section.key]))}
                >
                  {texts.showItems(section.items.length)}
                </button>
              </div>
            )}
          </fieldset>
        )
      })}
      <div>
        <button
          type="button"
          onClick={({ currentTarget }) => {
            plan.set([...sections, newSection()])
            requestAnimationFrame(() => {
              const heads = currentTarget.closest('.group')?.querySelectorAll<HTMLElement>('.section-head input')
              heads?.[heads.length - 1]?.focus()
            })
          }}
        >
          <Icon name="plus" />
          {texts.addSection}
        </button>
      </div>
    </fieldset>
  )
}
