import { signal } from '@preact/signals'
import { t } from '../app/language.ts'
import { Dialog } from '../ui/dialog.tsx'

/** A field with its values in both versions. */
interface Difference {
  name: string
  mine: string
  theirs: string
}
type Choice = 'mine' | 'theirs'
interface Conflict {
  title: string
  differences: readonly Difference[]
  decide: (choice: Choice) => void
}
const conflict = signal<Conflict | undefined>(undefined)

/** Lets the person choose after somebody else changed the same object. */
export const askConflict = (title: string, differences: readonly Difference[]) =>
  new Promise<Choice>((resolve) => {
    conflict.value = {
      title,
      differences,
      decide: (choice) => {
        conflict.value = undefined
        resolve(choice)
      },
    }
  })

/** Shows both versions of the fields that the person changed. */
export function ConflictDialog() {
  const { conflict: texts } = t()
  if (!conflict.value) return null
  const { title, differences, decide } = conflict.value
  return (
    <Dialog
      kind="alert"
      title={texts.title}
      onClose={() => decide('theirs')}
      footer={
        <>
          <button type="button" class="quiet" onClick={() => decide('theirs')}>
            {texts.useTheirs}
          </button>
          <button type="button" class="primary" onClick={() => decide('mine')}>
            {texts.keepMine}
          </button>
        </>
      }
    >
      <p>{texts.intro(title)}</p>
      <table class="compare">
        <thead>
          <tr>
            <th scope="col">{texts.field}</th>
            <th scope="col">{texts.mine}</th>
            <th scope="col">{texts.theirs}</th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ name, mine, theirs }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{mine}</td>
              <td>{theirs}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}
