/** English texts of the screen Customers. */
export const customers = {
  search: 'Search customers',
  create: 'New customer',
  edit: 'Edit customer',
  count: (count: number | string) => (count === 1 ? '1 customer' : `${count} customers`),
  none: 'No customers yet',
  noneHint: 'A customer is a person who orders, so that coupons can count how often each one uses them.',
  notFound: 'No customer matches.',
  deleteHint: 'Redemptions and events that name the customer stay. To remove the person from everything, erase.',
  name: 'Name',
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  phone: 'Phone',
  personalData: 'Personal data',
  personalDataHint:
    'Export saves everything that is stored about the person as a file. Erase removes the person from everything.',
  export: 'Export',
  exported: (name: string) => `Everything about “${name}” is saved as a file.`,
  erase: 'Erase',
  confirmErase: (name: string) => `Erase “${name}”?`,
  confirmEraseHint:
    'The customer is deleted, and the person is removed from redemptions, events and deliveries. This cannot be undone.',
  erased: (name: string) => `“${name}” is erased.`,
}
