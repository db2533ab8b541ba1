import { t } from '../../../app/language.ts'
import { Field } from '../../../ui/controls.tsx'
import { listRules, type RuleForm } from './rules-form.ts'

/** The rule for a modifier at this product, which replaces that of the modifier. */
export function ModifierRule(props: {
  modifier: string
  rules: readonly RuleForm[]
  errorOf: (name: string) => string | undefined
  onChange: (rules: readonly RuleForm[]) => void
}) {
  const { dish: texts } = t()
  const { modifier, rules, errorOf, onChange } = props
  const rule = rules.find((each) => each.modifier === modifier) ?? { modifier, min: '', max: '', title: '' }
  const isKnown = rules.includes(rule)
  const set = (fields: Partial<RuleForm>) => {
    const next = { ...rule, ...fields }
    onChange(isKnown ? rules.map((each) => (each === rule ? next : each)) : [...rules, next])
  }
  const path = `modifierRules/${listRules(rules).indexOf(rule)}`
  const names = { min: texts.min, max: texts.max, title: texts.ruleTitle }
  return (
    <details>
      <summary class="hint">{texts.rule}</summary>
      <div class="halves">
        {(['min', 'max', 'title'] as const).map((name) => (
          <Field
            key={name}
            label={names[name]}
            value={rule[name]}
            error={errorOf(`${path}/${name}`)}
            input={name === 'title' ? {} : { inputMode: 'numeric' }}
            onInput={(typed) => set({ [name]: typed })}
          />
        ))}
      </div>
      <p class="hint">{texts.ruleHint}</p>
    </details>
  )
}
