import type { Caller } from '../../catalogue/resource/caller.ts'
import type { Bindings } from '../../platform/env.ts'
import { ApiError, UnavailableError } from '../../platform/errors.ts'
import { limits } from '../../platform/http/fields.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { toObjectKey } from './picture-name.ts'
import { pictureStatements as statements } from './picture-statements.ts'
import type { PictureUpload } from './read-upload.ts'

const quotaExceeded = () =>
  new ApiError(
    'quota_exceeded',
    `The pictures of a merchant can have ${limits.pictureQuotaBytes.toLocaleString('en')} bytes.`,
  )
const beingDeleted = () =>
  new ApiError('busy', 'The picture was unused and is being deleted. Send it again.', [], { 'retry-after': '5' })

/**
 * Stores the files of a picture. Its row is written first: a row without files is checked and deleted like every other row, but nothing would ever
 * delete a file without a row.
 */
export async function storePicture(
  env: Bindings,
  { database, scope }: Pick<Caller, 'database' | 'scope'>,
  upload: PictureUpload,
): Promise<void> {
  const { digest, width, otherWidths, files } = upload
  const values = {
    ...scope,
    digest,
    widths: JSON.stringify([width, ...otherWidths]),
    bytes: files.reduce((sum, file) => sum + file.bytes.length, 0),
    now: nowInSeconds(),
  }
  const [[known], [recorded]] = await database.run([statements.find(), values], [statements.record(), values])
  if (known?.deleting) throw beingDeleted()
  if (!recorded) throw quotaExceeded()
  try {
    await Promise.all(
      files.map(({ type, bytes, width }) =>
        env.MEDIA.put(toObjectKey({ digest, width }), bytes, { httpMetadata: { contentType: type } }),
      ),
    )
  } catch (error) {
    throw new UnavailableError(`picture not stored: ${error}`)
  }
}
