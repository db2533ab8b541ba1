import { refToData } from '../../src/catalogue/events/event-catalogue.operations.ts'
import { getEventReference } from '../../src/catalogue/events/event-references.ts'
import { listScopesOfEvents } from '../../src/catalogue/events/event-scopes.ts'
import { eventNames, testEventType } from '../../src/catalogue/events/event-types.ts'

/** The schema of the data of an event, by its name in the document, or what it contains. */
function nameData(type: Parameters<typeof refToData>[0]): string {
  const { $ref, properties } = refToData(type)
  if ($ref !== undefined) return `\`${$ref.replace(/.*\//, '')}\``
  const members = Object.keys(properties ?? {}).map((name) => `\`${name}\``)
  return members.length > 0 ? members.join(', ') : 'JSON object'
}

const toRow = (type: Parameters<typeof refToData>[0]) => {
  const { raised, copy } = getEventReference(type)
  const scopes = listScopesOfEvents([type]).map((scope) => `\`${scope}\``)
  return `| \`${type}\` | ${raised} | ${nameData(type)} | \`${copy}\` | ${scopes.join(', ')} |`
}

/** The guide to the types of events, as Markdown. */
export const renderEventGuide = () => `# Events

<!-- Made by \`npm run models\` from the table of events. -->

Each change raises an event in the same transaction. [Webhooks](webhooks.md) receive events, and \`GET …/events\` lists those of the last
30 days. \`/event-types\` has the JSON Schema and a sample of each type.

- *Data* is the schema of \`data\` in \`/openapi.json\`. Data of \`.deleted\` is the object before its deletion.
- *Copy* is what a copy of the objects does with the event: \`create\` and \`replace\` store \`data\`, or \`data.coupon\`. \`merge\` sets the
  fields in \`data\` of the objects that it names. \`delete\` removes the object. \`none\` changes nothing. See
  [synchronise](synchronise.md#the-other-direction).
- *Scopes* are what a key needs to read \`data\`, and to subscribe a webhook to the type.

| Type | Raised when | Data | Copy | Scopes |
| --- | --- | --- | --- | --- |
${eventNames.map(toRow).join('\n')}

\`${testEventType}\` is raised when \`POST …/webhooks/:id/test\` is requested. Webhooks cannot subscribe to it.
`
