import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildClientFiles, buildGuides } from '../openapi/build.ts'
import { foodWordsFile, renderFoodWords } from './food-words.ts'
import { projectFolder } from './project-folder.ts'

const written = { 'packages/client/src': buildClientFiles(), docs: buildGuides() }
for (const [folder, files] of Object.entries(written)) {
  for (const [name, content] of Object.entries(files)) await writeFile(join(projectFolder, folder, name), content)
}
await writeFile(join(projectFolder, foodWordsFile), await renderFoodWords())
