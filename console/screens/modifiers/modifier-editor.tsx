import type { Modifier, ModifierDetails } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { currencySymbol, priceHint } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { hasScope } from '../../app/session.ts'
import { ObjectEditor } from '../../objects/editor.tsx'
import { CheckField, type EditedForm, NumberField, TextField } from '../../objects/fields.tsx'
import { useSide } from '../../objects/side.ts'
import { Translations } from '../../objects/translations.tsx'
import { Check, Choice, Field } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { DragHandle, getDropIndex, MoveButtons, moveItem } from '../../ui/sortable.tsx'
import {
  type DetailsForm,
  describeForm,
  findDetailsErrors,
  findErrors,
  keepOnePreSelected,
  type ModifierBody,
  type ModifierForm,
  newOption,
  type OptionForm,
  toBody,
  toCopy,
  toDetails,
  toDetailsForm,
  toForm,
} from './modifier-form.ts'
import { nameOf, store } from './modifier-store.ts'
import { OptionContents } from './option-contents.tsx'
import { SizedCosts } from './sized-costs.tsx'
import { UsedBy } from './used-by.tsx'

/** The options of a modifier, in order. */
function OptionList({ of }: { of: EditedForm<ModifierForm> }) {
  const { modifiers: texts } = t()
  const { options } = of.form
  const change = (index: number, fields: Partial<OptionForm>) =>
    of.set(
      'options',
      options.map((option, at) => (at === index ? { ...option, ...fields } : option)),
    )
  const move = (from: number, to: number) => of.set('options', moveItem(options, from, to))
  return (
    <fieldset class="group">
      <legend>{texts.options}</legend>
      {options.length === 0 && <p class="hint">{texts.noOptions}</p>}
      {options.map((option, index) => (
        <fieldset
          key={option.key}
          class="option"
          aria-label={texts.option(index + 1)}
          data-drag={option.key}
          data-drag-group="options"
        >
          <DragHandle
            group="options"
            onOver={(over, isAfter) => {
              const at = options.findIndex(({ key }) => key === over)
              const from = options.findIndex(({ key }) => key === option.key)
              if (at >= 0 && at !== from) move(from, getDropIndex(from, at, isAfter))
            }}
          />
          <div class="option-fields">
            <Field
              label={texts.label}
              value={option.label}
              error={of.errorOf(`options/${index}/label`)}
              onInput={(label) => change(index, { label })}
            />
            <Field
              label={texts.additionalCost}
              hint={priceHint(option.additionalCost)}
              value={option.additionalCost}
              unit={currencySymbol()}
              error={of.errorOf(`options/${index}/additionalCost`)}
              input={{ inputMode: 'decimal', class: 'number' }}
              onInput={(additionalCost) => change(index, { additionalCost })}
            />
            <Check
              label={texts.preSelected}
              isOn={option.preSelected}
              onChange={(preSelected) =>
                of.set(
                  'options',
                  options.map((each, at) =>
                    at === index
                      ? { ...each, preSelected }
                      : of.form.type === 'RADIO' && preSelected
                        ? { ...each, preSelected: false }
                        : each,
                  ),
                )
              }
            />
          </div>
          <span class="moves">
            <MoveButtons
              index={index}
              count={options.length}
              onMove={move}
              onRemove={() => of.set('options', options.toSpliced(index, 1))}
            />
          </span>
        </fieldset>
      ))}
      <div>
        <button
          type="button"
          onClick={({ currentTarget }) => {
            of.set('options', [...options, newOption()])
            requestAnimationFrame(() => {
              const labels = currentTarget.closest('.group')?.querySelectorAll<HTMLElement>('.option input[type=text]')
              labels?.[labels.length - 2]?.focus()
            })
          }}
        >
          <Icon name="plus" />
          {texts.addOption}
        </button>
      </div>
    </fieldset>
  )
}

export function ModifierEditor({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const { modifiers: texts, details: names, dish } = t()
  const details = useSide<ModifierDetails, ReturnType<typeof toDetails>, DetailsForm>(id, {
    read: (of, options) => api().modifiers.details(of, options),
    update: (of, fields, options) => api().modifiers.updateDetails(of, fields, options),
    toForm: toDetailsForm,
    findErrors: findDetailsErrors,
    toBody: toDetails,
    title: names.translations,
    nameOf,
  })
  return (
    <ObjectEditor<Modifier, ModifierBody, ModifierForm>
      id={id}
      titles={texts}
      deleteHint={texts.deleteHint}
      scope="modifiers:write"
      store={store}
      aliases={{ 'rules/selectRestriction': 'atMost' }}
      form={{ toForm, findErrors, toBody }}
      parts={[details.part]}
      toCopy={toCopy}
      onClose={onClose}
    >
      {(of, row) => {
        const edited = details.edit(of)
        const { options } = of.form
        return (
          <>
            <TextField of={of} name="title" label={texts.title} input={{ autofocus: id === undefined }} />
            <TextField of={of} name="instructions" label={texts.instructions} hint={texts.instructionsHint} />
            <fieldset class="group">
              <legend>
                {texts.rule}: <span class="soft">{describeForm(of.form, edited.form)}</span>
              </legend>
              <Choice
                legend={texts.type}
                value={of.form.type}
                options={[
                  ['CHECKBOX', texts.types.CHECKBOX],
                  ['RADIO', texts.types.RADIO],
                ]}
                onChange={(type) => {
                  of.set('type', type)
                  if (type === 'RADIO') of.set('options', keepOnePreSelected(of.form.options))
                }}
              />
              <CheckField of={of} name="required" label={texts.required} />
              {of.form.type === 'CHECKBOX' && (
                <>
                  <NumberField
                    of={of}
                    name="atMost"
                    label={texts.atMost}
                    hint={texts.atMostHint}
                    input={{ inputMode: 'numeric', class: 'short' }}
                  />
                  {of.form.atMost.trim() !== '' && <CheckField of={of} name="isExact" label={texts.exactly} />}
                  <CheckField of={of} name="mayRepeat" label={texts.repeat} />
                  <fieldset class="plain" disabled={!details.isLoaded}>
                    <div class="halves">
                      <NumberField
                        of={edited}
                        name="min"
                        label={dish.min}
                        hint={dish.minHint}
                        input={{ inputMode: 'numeric' }}
                      />
                      <NumberField of={edited} name="max" label={dish.max} input={{ inputMode: 'numeric' }} />
                    </div>
                    <CheckField of={edited} name="isHighest" label={dish.isHighest} />
                  </fieldset>
                </>
              )}
            </fieldset>
            <OptionList of={of} />
            <fieldset class="plain" disabled={!details.isLoaded}>
              <OptionContents
                of={edited}
                options={options}
                mayRepeat={of.form.type === 'CHECKBOX' && of.form.mayRepeat}
              />
              {id !== undefined && hasScope('products:read') && (
                <SizedCosts modifier={id} of={edited} options={options} />
              )}
            </fieldset>
            <TextField of={of} name="description" label={texts.description} multiline />
            <fieldset class="plain" disabled={!details.isLoaded}>
              <Translations
                of={edited}
                fields={[
                  { path: 'title', label: texts.title, original: of.form.title },
                  { path: 'instructions', label: texts.instructions, original: of.form.instructions },
                  { path: 'description', label: texts.description, original: of.form.description, multiline: true },
                  ...options.map(({ id: option, label }, index) => ({
                    path: `options/${option}/label`,
                    label: texts.option(index + 1),
                    original: label,
                  })),
                ]}
              />
            </fieldset>
            {row && hasScope('products:read') && <UsedBy modifier={row.item.id} />}
          </>
        )
      }}
    </ObjectEditor>
  )
}
