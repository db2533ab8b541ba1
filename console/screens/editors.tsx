import ReleasePart from '../objects/release/release-part.tsx'
import Menus from './menus/menus.tsx'
import { ModifierEditor } from './modifiers/modifier-editor.tsx'
import { ProductEditor } from './products/product-editor.tsx'

/** The editors of dishes, the menus, and changes that are prepared: lists do not need them. */
export default { Menus, ModifierEditor, ProductEditor, ReleasePart }
