import { t } from '../../app/language.ts'
import { Select } from '../../ui/select.tsx'
import type { EditedVenue } from './edited-venue.ts'

const levels = ['off', 'read', 'write'] as const

/** Rights of an operator of the service who opens the venue for an hour. */
export function SupportAccess({ of }: { of: EditedVenue }) {
  const { supportAccess, supportLevels } = t().settings
  return (
    <Select
      label={supportAccess}
      value={of.form.supportAccess}
      options={levels.map((level) => [level, supportLevels[level]] as const)}
      onChange={(level) => of.set('supportAccess', level)}
    />
  )
}
