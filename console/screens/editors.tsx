import { ModifierEditor } from './modifiers/modifier-editor.tsx'
import { ProductEditor } from './products/product-editor.tsx'

/** The editors of dishes. They share most of their code, which the lists do not need. */
export default { ModifierEditor, ProductEditor }
