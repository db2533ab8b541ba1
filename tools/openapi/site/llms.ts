import type { OperationGroup } from '../../../src/platform/http/openapi/operation.ts'
import { firstGuides, toolGuides } from './guide-groups.ts'

/** A summary of the API in the llms.txt format (llmstxt.org). */
export const renderLlms = (groups: readonly OperationGroup[]) => `# Merchant Ordering API

> Products, menus, tables and webhooks of restaurants, cafés and bars. JSON over HTTP.

Send \`Authorization: Bearer sk_live_…\` (or \`sk_test_…\`). Bodies are \`application/json\`. Lists are arrays; the \`Link\` header
has the next page. An update merges: omitted fields do not change. Errors are problem documents (RFC 9457) with a \`code\`.
Times are in seconds since 1970-01-01 UTC. Amounts are in the merchant's currency.

## Docs

- [OpenAPI document](/openapi.json): all operations, fields, limits and examples
- [Event types](/event-types): all events that webhooks receive, with JSON Schema and a sample
- [Errors](/docs/errors): the meaning of each error code
- [Reference](/docs): the API reference as a page
- [Guides](/docs/guides): all guides
${[...firstGuides, ...toolGuides].map((name) => `- [Guide: ${name.replaceAll('-', ' ')}](/docs/guides/${name})`).join('\n')}

${groups
  .map(
    ({ name, description, operations }) => `## ${name}

${description}

${operations.map(({ method, path, summary }) => `- \`${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}\`: ${summary}`).join('\n')}
`,
  )
  .join('\n')}`
