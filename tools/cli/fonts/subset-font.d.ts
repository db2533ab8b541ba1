declare module 'subset-font' {
  interface SubsetOptions {
    targetFormat: 'woff2' | 'truetype'
    variationAxes: Readonly<Record<string, number | { min: number; max: number }>>
    noHinting: boolean
    noLayoutClosure: boolean
    keepFeatures: readonly string[]
    dropTables: readonly string[]
  }
  export default function subsetFont(font: Uint8Array, letters: string, options: SubsetOptions): Promise<Uint8Array>
}
