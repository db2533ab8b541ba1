import type { StartTexts } from '../en.ts'

/** German texts of the sign-in, and of what can go wrong before the others are loaded. */
export const start: StartTexts = {
  signIn: {
    title: 'Anmelden',
    key: 'API-Schlüssel',
    operator: 'Betreiber',
    operatorToken: 'Betreiber-Token',
    operatorHint:
      'Das ADMIN_TOKEN des Dienstes. Es wird gegen eine Sitzung getauscht und nicht in diesem Browser gespeichert.',
    operatorRejected: 'Dieses Token ist nicht gültig.',
    venue: 'Bei einem Betrieb anmelden',
    submit: 'Anmelden',
    hint: 'Er beginnt mit sk_live_ oder sk_test_. Er wird gegen eine Sitzung getauscht und nicht in diesem Browser gespeichert.',
    rejected: 'Dieser Schlüssel ist nicht gültig. Vielleicht wurde er widerrufen.',
    suspended: 'Dieser Betrieb ist gesperrt. Wende dich an den Betreiber des Dienstes.',
    ended: 'Deine Sitzung ist beendet. Melde dich wieder an.',
    passkey: 'Mit Passkey anmelden',
    passkeyRejected: 'Dieser Passkey gilt hier nicht. Bitte den Inhaber des Betriebs um eine neue Einladung.',
    passkeyCancelled: 'Es wurde kein Passkey benutzt. Versuche es noch einmal.',
  },
  join: {
    invitation: 'Einladung',
    title: (venue) => `${venue} beitreten`,
    intro: (role) =>
      `Deine Rolle: ${role}. Ein Passkey ist dein Fingerabdruck, Gesicht oder PIN statt eines Passworts.`,
    name: 'Dein Name',
    create: 'Passkey erstellen',
    invalid: 'Diese Einladung wurde benutzt oder ist abgelaufen, oder du gehörst schon dazu.',
    operatorTitle: (name) => `Willkommen, ${name}`,
    operatorRoles: { admin: 'Admin', support: 'Support' },
    roles: { owner: 'Inhaber', manager: 'Leitung', staff: 'Personal', developer: 'Entwicklung' },
  },
  shell: {
    skip: 'Zum Inhalt springen',
    main: 'Hauptmenü',
    menu: 'Menü',
    account: 'Konto',
    signOut: 'Abmelden',
    testMode: 'Testmodus',
    testHint: 'Gäste sehen nicht, was du hier änderst.',
    language: 'Sprache',
    shortcuts: 'Tastenkürzel',
    loading: 'Lädt',
    noScreen: 'Diese Seite gibt es nicht.',
    noRights: 'Du hast zu keiner Seite Zugang.',
    retry: 'Noch einmal',
  },
  problem: {
    offline: 'Keine Verbindung. Deine Eingaben sind noch da: Versuche es noch einmal.',
    unavailable: 'Der Dienst ist ausgelastet. Deine Eingaben sind noch da: Versuche es gleich noch einmal.',
    forbidden: 'Das darfst du nicht.',
    notFound: 'Das gibt es nicht mehr.',
    rateLimited: 'Zu viele Anfragen. Warte kurz und versuche es noch einmal.',
    invalid: 'Einige Werte sind nicht gültig.',
    other: (detail) => `Das hat nicht geklappt. ${detail}`,
  },
}
