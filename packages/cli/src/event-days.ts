/** How long the service keeps events and deliveries, in days. */
export const eventDays = 30
