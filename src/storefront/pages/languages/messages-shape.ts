/** Forms of a sentence by the plural category of a number, as `Intl.PluralRules` names them. */
type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>

/** Texts of pages for guests in one language. Braces mark what is filled in. All other text on a page is the venue's. */
export interface Messages {
  test: string
  /** Band over a menu that guests do not see. */
  preview: string
  /** Says that the venue is closed and at which `{time}` it opens. */
  opens: string
  /** Says that no menu is served, if it is not known when one is. */
  closed: string
  /** Says that the venue is closed; `{day}` is the last day. */
  closedUntil: string
  /** Says that no orders are taken; `{time}` is the end of the pause. */
  paused: string
  pausedUntil: string
  noMenu: string
  soldOut: string
  /** Says from which `{time}` on a sold-out dish is served again: a time, a day and a time, or "tomorrow". */
  back: string
  /** Titles of error pages. */
  deleted: string
  unknown: string
  unavailable: string
  /** Texts of error pages. */
  askStaff: string
  tryAgain: string
  /** Asks for the code of a table: title of the page with the field, and link to it. */
  typeCode: string
  /** Link to the next part of a menu that is too long for one page. */
  more: string
  /** Notice that a page does not show the whole menu. */
  truncated: string
  /** Label of the links between menus. */
  menus: string
  /** Label of the field that searches the menu. */
  search: string
  /** Label of the bar at the end of the menu, and its buttons. */
  service: string
  order: string
  call: string
  bill: string
  share: string
  /** Answers to calls. */
  called: string
  billed: string
  /** Texts of pages for calls that are not taken. */
  scanAgain: string
  callsFull: string
  noCalls: string
  /** Says at which `{time}` a closed menu is served. */
  served: string
  /** Says which `{menus}` are served next, and at which `{time}`. By the number of menus; without a full stop. */
  next: PluralForms
  fullStop: string
  /** Rules of a modifier: how many options a guest chooses. `{one}` is the number 1. */
  choose: string
  chooseExactly: string
  chooseBetween: string
  chooseAtLeast: string
  optional: string
  optionalUpTo: string
  /** Marks an option that is selected initially. */
  preSelected: string
  /** Says that a charge costs an `{amount}` for each item. */
  perItem: string
  /** Condition of a charge: a number of guests. */
  fromGuests: string
  /** Conditions of a charge: types of orders. */
  dineIn: string
  takeaway: string
  delivery: string
  /** Deposit that is added to a price. */
  plusDeposit: string
  /** Says to which amount totals are rounded, on a page with finer prices. */
  rounded: string
}
