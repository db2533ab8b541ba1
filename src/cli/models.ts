import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildClientModels } from '../openapi/build.ts'
import { projectFolder } from './demo.ts'

await writeFile(join(projectFolder, 'src/client/models.ts'), await buildClientModels())
