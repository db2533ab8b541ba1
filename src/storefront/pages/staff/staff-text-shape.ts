import * as z from 'zod/mini'

/**
 * Texts of what a venue's staff opens and prints, in one language. Braces mark what is filled in. They are static assets, not part of
 * the bundle: only the build imports the languages.
 */
export const createStaffSchema = () =>
  z.object({
    /** Call to action beside a printed QR code. */
    scan: z.string(),
    /** Title of a sheet. */
    sheet: z.string(),
    noTags: z.string(),
    /** How many `{count}` codes did not fit on a sheet. */
    omitted: z.string(),
    /** Notice on a PDF without some text, because its fonts lack letters. */
    missingText: z.string(),
    /** Page for an expired link: title, and whom to ask. */
    expired: z.string(),
    expiredAsk: z.string(),
    /** The page that writes an NFC chip: its title and main button. */
    write: z.string(),
    hold: z.string(),
    written: z.string(),
    otherAddress: z.string(),
    done: z.string(),
    /** Locking a chip: the button, two questions with their buttons, the result. */
    lock: z.string(),
    lockAsk: z.string(),
    lockContinue: z.string(),
    lockAskAgain: z.string(),
    lockConfirm: z.string(),
    cancel: z.string(),
    locked: z.string(),
    /** Messages of failures. `{reason}` is the message of the browser. */
    failed: z.string(),
    unreadable: z.string(),
    unsupported: z.string(),
    needsScript: z.string(),
  })
export type StaffMessages = z.output<ReturnType<typeof createStaffSchema>>
