/** Quiet zone that the standard requires, in modules. */
export const quietZone = 4

/** Ranges of the parameters of a picture: `size` in pixels, `margin` in modules. */
export const ranges = { size: { min: 64, max: 2_048, default: 512 }, margin: { min: quietZone, max: 16 } } as const
