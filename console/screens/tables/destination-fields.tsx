import { t } from '../../app/language.ts'
import { hasScope } from '../../app/session.ts'
import { listLanguages } from '../../objects/contents/named-codes.ts'
import { type EditedForm, TextField } from '../../objects/fields.tsx'
import { ChoiceSet } from '../../objects/hours/choice-set.tsx'
import { formatWeekday, orderTypes, weekdays } from '../../objects/hours/service-times.ts'
import { Field } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Select } from '../../ui/select.tsx'
import { type DestinationForm, newRule, type RuleForm } from './destination-form.ts'

/** Maximum number of rules. */
const maxRules = 10

/** A rule: when it applies, and where the code then leads. */
function Rule(props: { of: EditedForm<DestinationForm>; index: number; rule: RuleForm }) {
  const { of, index, rule } = props
  const { tables: texts, menus, action } = t()
  const set = (fields: Partial<RuleForm>) => of.set('rules', of.form.rules.with(index, { ...rule, ...fields }))
  const errorOf = (name: string) => of.errorOf(`rules/${index}/${name}`)
  return (
    <fieldset class="group" aria-label={texts.rule(index + 1)}>
      <Field
        label={texts.ruleAddress}
        value={rule.url}
        error={errorOf('url')}
        input={{ type: 'url' }}
        onInput={(url) => set({ url })}
      />
      <div class="halves">
        <Field
          label={menus.from}
          value={rule.begin}
          error={errorOf('when/begin')}
          input={{ type: 'time' }}
          onInput={(begin) => set({ begin })}
        />
        <Field
          label={menus.until}
          value={rule.end}
          error={errorOf('when/end')}
          hint={rule.end !== '' && rule.end < rule.begin ? menus.overnight : undefined}
          input={{ type: 'time' }}
          onInput={(end) => set({ end })}
        />
      </div>
      <ChoiceSet
        legend={menus.days}
        all={weekdays}
        chosen={rule.days}
        nameOf={formatWeekday}
        error={errorOf('when/days')}
        onChange={(days) => set({ days })}
      />
      <Select
        label={texts.ruleLanguage}
        value={rule.lang}
        options={[['', texts.anyLanguage], ...listLanguages(rule.lang)]}
        onChange={(lang) => set({ lang })}
      />
      <button type="button" class="quiet" onClick={() => of.set('rules', of.form.rules.toSpliced(index, 1))}>
        <Icon name="trash" />
        {action.removeOf(texts.rule(index + 1))}
      </button>
    </fieldset>
  )
}

/** Where the code of a table leads, and what its guests order. */
export function DestinationFields({ of, isLoaded }: { of: EditedForm<DestinationForm>; isLoaded: boolean }) {
  const { tables: texts, menus } = t()
  const { rules, orderType } = of.form
  return (
    <fieldset class="plain" disabled={!isLoaded}>
      <legend>{texts.destination}</legend>
      <TextField
        of={of}
        name="url"
        label={texts.ownAddress}
        hint={texts.ownAddressHint}
        input={{ type: 'url', maxLength: 2_048 }}
      />
      <Select
        label={texts.guestsOrder}
        value={orderType}
        options={[['', texts.anyType], ...orderTypes.map((type) => [type, menus.types[type]] as const)]}
        onChange={(chosen) => of.set('orderType', orderTypes.find((type) => type === chosen) ?? '')}
      />
      {rules.length > 0 && <p class="hint">{texts.rulesHint}</p>}
      {rules.map((rule, index) => (
        <Rule key={String(index)} of={of} index={index} rule={rule} />
      ))}
      {hasScope('tags:write') && rules.length < maxRules && (
        <button type="button" onClick={() => of.set('rules', [...rules, newRule])}>
          <Icon name="plus" />
          {texts.addRule}
        </button>
      )}
    </fieldset>
  )
}
