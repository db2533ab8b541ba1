import { readTextFile } from '../../fields.ts'
import { isRecord } from '../../files.ts'
import { findSimilar } from '../../similar.ts'
import { type FileIssue, toFileError } from './file-issues.ts'
import { toPointer } from './json-pointer.ts'
import { type VenueResource, venueResources } from './venue-fields.ts'

/** An object of a venue file. */
export interface VenueObject {
  resource: VenueResource
  /** External id, or the id of an object without an external id. */
  key: string
  body: Record<string, unknown>
  details?: Record<string, unknown>
  limits?: Record<string, unknown>
}

/** A venue as a file describes it. */
export interface VenueFile {
  /** Settings of the merchant. */
  merchant?: Record<string, unknown>
  /** Objects in the order of `venueResources`, and within a resource in that of the file. */
  objects: readonly VenueObject[]
  /** Resources that the file has. */
  resources: ReadonlySet<VenueResource>
  /** The error of issues, with their positions in the file. */
  toError(issues: readonly FileIssue[]): Error
}

const parts = ['merchant', ...venueResources] as const
/** Members of an object that are not fields of its body, by resource. */
const membersOf = { modifiers: ['details'], products: ['details'], coupons: ['limits'], menus: ['details'] } as const

/** The names of a file as a person reads them. */
const orList = (names: readonly string[]) => `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`

/** Splits an object of the file into its body, details and limits. */
function readObject(
  resource: VenueResource,
  key: string,
  value: unknown,
  report: (pointer: string, message: string) => void,
): VenueObject | undefined {
  const pointer = toPointer([resource, key])
  if (!isRecord(value)) return void report(pointer, 'must have fields, for example title: Lunch')
  const members: Partial<Record<'details' | 'limits', Record<string, unknown>>> = {}
  const body: Record<string, unknown> = { ...value }
  for (const name of membersOf[resource]) {
    if (!Object.hasOwn(value, name)) continue
    const { [name]: member } = value
    delete body[name]
    if (isRecord(member)) members[name] = member
    else report(`${pointer}/${name}`, 'must have fields')
  }
  return { resource, key, body, ...members }
}

/** Reads a venue file. Throws `FileError` if its form is wrong. */
export async function readVenueFile(name: string): Promise<VenueFile> {
  const source = await readTextFile(name)
  // Loaded for this command alone: half of the package is the reader of YAML.
  const { readYaml } = await import('./yaml-text.ts')
  const { value, positions, issues } = readYaml(source)
  const toError = (found: readonly FileIssue[]) => toFileError(name === '-' ? 'stdin' : name, positions, found)
  if (issues.length > 0) throw toError(issues)
  const found: FileIssue[] = []
  const report = (pointer: string, message: string) => void found.push({ pointer, message })
  if (!isRecord(value)) throw toError([{ pointer: '', message: `The file must have ${orList(parts)}.` }])
  for (const part of Object.keys(value).filter((each) => !parts.some((known) => known === each))) {
    const similar = findSimilar(part, parts)
    const hint = similar === undefined ? '' : `: did you mean ${similar}?`
    report(toPointer([part]), `is not a part of a venue file, which has ${orList(parts)}${hint}`)
  }
  const { merchant } = value
  if (merchant !== undefined && !isRecord(merchant)) report('/merchant', 'must have fields, for example name: Bar Otto')
  const objects: VenueObject[] = []
  const resources = new Set<VenueResource>()
  for (const resource of venueResources) {
    const { [resource]: members } = value
    if (members === undefined) continue
    if (!isRecord(members)) {
      report(`/${resource}`, 'must have external ids, each with the fields of its object; {} for none')
      continue
    }
    resources.add(resource)
    for (const [key, member] of Object.entries(members)) {
      const object = readObject(resource, key, member, report)
      if (object) objects.push(object)
    }
  }
  if (found.length > 0) throw toError(found)
  return { ...(isRecord(merchant) && { merchant }), objects, resources, toError }
}
