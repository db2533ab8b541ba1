import { showAlert } from '../../ui/toasts.tsx'
import { keepLanguage, loadTexts, t } from '../language.ts'
import { loadPart } from '../load-part.ts'

/** Shows all screens in another language, and stores the choice in this browser. */
export async function chooseLanguage(tag: string): Promise<void> {
  const done = await loadPart('texts', async () => {
    await loadTexts(tag)
    keepLanguage(tag)
    return true
  })
  if (!done) showAlert(t().problem.offline)
}
