/** Marks of the form of calls in a cached page. Texts of guests and venues cannot contain them, because pages escape these. */
export const [callsStart, callsEnd, seatMark] = ['<!--calls:', '<calls-->', '{seat}']
