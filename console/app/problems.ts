import { ApiError, ConnectionError } from '../../packages/client/src/client-errors.ts'
import { formatNumber } from './format.ts'
import { t } from './language.ts'

/** Whether a request may succeed later: it got no response, or a rejection such as `429` or `503`. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof ApiError && (error.status >= 500 || error.status === 429))

/** A text for an error of a request. */
export function describeError(error: unknown): string {
  const { problem, rejection, person } = t()
  if (error instanceof ConnectionError) return problem.offline
  if (!(error instanceof ApiError)) throw error
  if (error.code === 'assertion_required') return person.unconfirmed
  if (error.status === 403) return problem.forbidden
  if (error.status === 404) return problem.notFound
  if (hasInvalidFields(error)) return describeWhole(error) ?? problem.invalid
  if (error.status === 429) return problem.rateLimited
  if (error.status >= 500) return problem.unavailable
  return new Map(Object.entries(rejection)).get(error.code)?.(error.message) ?? problem.other(error.message)
}

/** Whether the person can correct the fields that the problem names: invalid values, or values of another object. */
const hasInvalidFields = ({ status, errors }: ApiError) => (status === 422 || status === 409) && errors.length > 0

/** A text that tells how to correct an issue, by its message. Undefined if the message has no text. */
export function describeRemedy(message: string): string | undefined {
  const [limit = ''] = /\d+(?:\.\d+)?/.exec(message) ?? []
  const describe = new Map(Object.entries(t().remedy)).get(limit === '' ? message : message.replace(limit, '#'))
  return describe?.(formatNumber(Number(limit)))
}

/** A text for an issue: that of its field, of its message, or of its code. */
function describeIssue(pointer: string, { code, message }: { code: string; message: string }): string {
  const texts = new Map<string, string>(Object.entries(t().issue))
  return texts.get(`${pointer} ${code}`) ?? describeRemedy(message) ?? texts.get(code) ?? message
}

/** A text for an issue of the whole body, such as a file, or of an uploaded picture. */
function describeWhole({ errors }: ApiError): string | undefined {
  for (const issue of errors) {
    if ('pointer' in issue && /^(?:\/images?)?$/.test(issue.pointer)) return describeIssue(issue.pointer, issue)
  }
  return undefined
}

/** A path and the paths above it: `a/b/c`, `a/b` and `a`. */
const listPaths = (path: string) =>
  path.split('/').map((_, index, parts) => parts.slice(0, parts.length - index).join('/'))

/** Texts for the fields of a `422` or `409`, by path, such as `sections/0/title`, and by the paths above it. */
export function readFieldErrors(error: unknown): ReadonlyMap<string, string> {
  if (!(error instanceof ApiError) || !hasInvalidFields(error) || describeWhole(error)) return new Map()
  return new Map(
    error.errors.flatMap((issue) =>
      'pointer' in issue
        ? listPaths(issue.pointer.slice(1)).map((path): [string, string] => [path, describeIssue(issue.pointer, issue)])
        : [],
    ),
  )
}
