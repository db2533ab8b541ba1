/** Maximum bytes of one parameter and of one row. D1 takes up to 2,000,000. */
export const maxValueBytes = 1_900_000
