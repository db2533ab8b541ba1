import type { List, Row } from '../../src/cli/catalogue.ts'
