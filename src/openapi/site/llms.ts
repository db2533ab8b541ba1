import type { OperationGroup } from '../operation.ts'

/** The API in short, in the form that language models look for (llmstxt.org). */
export const renderLlms = (chapters: readonly OperationGroup[]) => `# Merchant Ordering API

> What a venue sells, where its guests sit, and who is told when something happens. JSON over HTTP.

Send \`Authorization: Bearer sk_live_…\` (or \`sk_test_…\`). Bodies are \`application/json\`. Lists are bare arrays; \`Link\` leads
to the next page. An update is a merge: fields that are left out stay as they are. Errors are problem documents (RFC 9457)
with a \`code\`. Times are in seconds since 1970-01-01 UTC, amounts in units of the merchant's currency.

## Docs

- [OpenAPI document](/openapi.json): every operation, field, limit and example
- [Event types](/event-types): what webhooks are sent, each with JSON Schema and a sample
- [Errors](/docs/errors): what each code means
- [Reference](/docs): the document for people

${chapters
  .map(
    ({ name, description, operations }) => `## ${name}

${description}

${operations.map(({ method, path, summary }) => `- \`${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}\`: ${summary}`).join('\n')}
`,
  )
  .join('\n')}`
