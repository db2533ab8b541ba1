import { chooseLanguage } from '../../app/frame/choose-language.ts'
import { language, languageNames, t } from '../../app/language.ts'
import { hasScope } from '../../app/session.ts'
import { Section } from '../../ui/section.tsx'
import { Select } from '../../ui/select.tsx'
import { Audit } from './audit.tsx'
import { Charges } from './charges/charges.tsx'
import { Keys } from './keys/keys.tsx'
import { People } from './people.tsx'
import { Sessions } from './sessions.tsx'
import { Venue } from './venue.tsx'

/** The venue, its keys, the people, the sessions, the audit log, and the person's language. */
export default function Settings() {
  const { settings: texts, shell } = t()
  const sections = [
    { id: 'venue', title: texts.venue, scope: 'merchant:read', content: Venue },
    { id: 'charges', title: texts.charges, scope: 'merchant:read', content: Charges },
    { id: 'keys', title: texts.keys, scope: 'keys:read', content: Keys },
    { id: 'people', title: texts.people, scope: undefined, content: People },
    { id: 'sessions', title: texts.sessions, scope: undefined, content: Sessions },
    { id: 'audit', title: texts.audit, scope: 'audit:read', content: Audit },
  ].filter(({ scope }) => scope === undefined || hasScope(scope))
  return (
    <>
      <nav class="sections" aria-label={texts.sections}>
        {[...sections, { id: 'language', title: shell.language }].map(({ id, title }) => (
          <a key={id} href={`#${id}`}>
            {title}
          </a>
        ))}
      </nav>
      {sections.map(({ id, title, content: Content }) => (
        <Section key={id} id={id} title={title}>
          <Content />
        </Section>
      ))}
      <Section id="language" title={shell.language}>
        <div class="narrow">
          <Select
            label={shell.language}
            value={language.value}
            options={languageNames.map(({ tag, name }) => [tag, name] as const)}
            onChange={chooseLanguage}
          />
        </div>
      </Section>
    </>
  )
}
