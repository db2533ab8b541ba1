import { useId } from 'preact/hooks'

/** A list to choose one value from, with its label. */
export function Select<Value extends string>(props: {
  label: string
  value: Value
  options: readonly (readonly [Value, string])[]
  onChange: (value: Value) => void
}) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <select
        id={id}
        value={props.value}
        onChange={({ currentTarget }) => {
          const chosen = props.options[currentTarget.selectedIndex]
          if (chosen) props.onChange(chosen[0])
        }}
      >
        {props.options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
