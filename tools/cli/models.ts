import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildClientFiles } from '../openapi/build.ts'
import { projectFolder } from './project-folder.ts'

for (const [name, content] of Object.entries(await buildClientFiles())) {
  await writeFile(join(projectFolder, 'packages/client/src', name), content)
}
