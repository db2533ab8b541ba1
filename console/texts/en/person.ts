/** English texts about the person, not about the venue. */
export const person = {
  title: 'Confirm that it is you',
  text: 'This gives access to your venues. Use one of your passkeys again. You are asked once in five minutes.',
  operatorText: 'This gives access to a venue. Enter the token again. You are asked once in five minutes.',
  operatorPersonText:
    'This gives access to the service. Use your passkey again: leave the token empty. You are asked once in five minutes.',
  confirm: 'Confirm',
  rejected: 'That is not one of your passkeys.',
  unconfirmed: 'You did not confirm that it is you. Nothing was changed.',
  noticesTitle: 'Your passkeys have changed',
  'passkeys.create': (name: string, venue: string, time: string) => `“${name}” was added at ${venue}, ${time}.`,
  'passkeys.delete': (name: string, venue: string, time: string) => `“${name}” was deleted at ${venue}, ${time}.`,
  noticesText:
    'A passkey opens all your venues. If this was not you, delete the passkeys that you do not know, and tell the other owners.',
  understood: 'Understood',
}
