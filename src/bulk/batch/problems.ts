import { ApiError, type Issue, type IssueCode, issueCodes } from '../../platform/errors.ts'
import { toProblem } from '../../platform/http/problem-details.ts'
import type { OperationResult } from './operation.ts'
import type { Step } from './plan/operation-step.ts'

const isIssueCode = (code: string): code is IssueCode => issueCodes.some((known) => known === code)

/** The code of an issue for a problem of a whole operation. */
export function toIssueCode(code: string): IssueCode {
  if (code === 'body_too_large') return 'too_large'
  return isIssueCode(code) ? code : 'invalid_value'
}

/** The pointer into the batch for an issue of an operation: into its body, except for a taken external id of its own. */
const toBatchPointer = (index: number, code: ApiError['code'], pointer: string) =>
  `/operations/${index}${code === 'conflict' && pointer === '/externalId' ? '' : '/body'}${pointer}`

/** The issues of a failed operation, with pointers into the batch. */
function toBatchIssues({ index, details, limits }: Step, { code, message, issues }: ApiError): Issue[] {
  if (issues.length > 0) {
    return issues.map((issue) => {
      if (!('pointer' in issue)) return issue
      const isBeside = details?.issues.includes(issue) || limits?.issues.includes(issue)
      const pointer = isBeside ? `/operations/${index}${issue.pointer}` : toBatchPointer(index, code, issue.pointer)
      return { ...issue, pointer }
    })
  }
  const pointer = `/operations/${index}${code === 'body_too_large' ? '/body' : ''}`
  return [{ pointer, code: toIssueCode(code), message }]
}

/** Whether an operation fails only because it names a failed operation. */
const isDependent = ({ problem }: Step) =>
  problem?.issues.every(({ code }) => code === 'unresolved_reference') === true && problem.issues.length > 0

/** The problem of an atomic batch with failed operations. */
export function createBatchProblem(failed: readonly Step[]): ApiError {
  const issues = failed
    .filter((step) => !isDependent(step))
    .flatMap((step) => (step.problem ? toBatchIssues(step, step.problem) : []))
  const count = failed.length
  return new ApiError(
    'batch_failed',
    `${count} operation${count === 1 ? ' fails' : 's fail'}. Nothing was changed.`,
    issues,
  )
}

/** The result of a failed operation. */
export function toFailedResult({ index, operation: { externalId } }: Step, problem: ApiError): OperationResult {
  const shown = toProblem(problem)
  return {
    index,
    status: shown.status,
    outcome: 'failed',
    ...(externalId !== undefined && { externalId }),
    problem: shown,
  }
}
