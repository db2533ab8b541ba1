import { createPagePolicy } from '../../platform/lib/content-security-policy.ts'
import type { PageLanguage } from './messages.ts'
import { styles } from './styles.ts'

/** Name of the static asset with the page on which a guest types a code. */
export const toCodeFile = (language: PageLanguage) => `code-${language}.html`

/** The policy of this page. Browsers apply `form-action` to redirects too, and a code may redirect to the ordering system of any merchant. */
export const createCodePagePolicy = () =>
  createPagePolicy({ style: styles, images: 'data:', forms: "'self' https: http:" })
