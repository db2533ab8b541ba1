/** Width of each kind of picture in CSS pixels by which files are chosen. Wide screens show dishes larger, at a lower density. */
export const shownWidths = { dish: 88, icon: 56, logo: 176, wide: 608 } as const
export type PictureKind = keyof typeof shownWidths

/** Screens of any density load at most twice the shown width. */
const density = 2

/** Maximum width of the files that the hosted menu offers, in pixels. */
export const getMaxWidth = (kind: PictureKind) => density * shownWidths[kind]

/** Width of a wide picture on most phones, in pixels. */
const phoneWidth = 832

/** Widths in pixels in which the service makes smaller files of a picture, smallest first. */
export const resizedWidths: readonly number[] = [
  ...Object.values(shownWidths).map((width) => density * width),
  shownWidths.wide,
  phoneWidth,
].sort((a, b) => a - b)
