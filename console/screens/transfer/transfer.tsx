import { t } from '../../app/language.ts'
import { Section } from '../../ui/section.tsx'
import { ExportForm } from './export-form.tsx'
import { ImportForm } from './import-form.tsx'
import { RecentImports } from './recent-imports.tsx'

/** Import and export of files with many objects. */
export default function Transfer() {
  const { transfer: texts } = t()
  return (
    <>
      <Section id="import" title={texts.import}>
        <ImportForm />
      </Section>
      <RecentImports />
      <Section id="export" title={texts.export}>
        <ExportForm />
      </Section>
    </>
  )
}
