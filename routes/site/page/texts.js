/**
 * The texts of the page by language. Those of a field are in its declaration.
 *
 * @module
 */
export const TEXTS = {
  sv: {
    title: "Lösenordsgenerator",
    description:
      "Skapa starka lösenord, lösenordsfraser och PIN-koder. De slumpas fram på servern och sparas inte.",
    promise:
      "Lösenorden slumpas fram på servern. De varken sparas eller loggas.",
    pageLanguage: "Sidans språk",
    result: "Ditt lösenord",
    list: "Dina lösenord",
    copy: "Kopiera",
    copyAll: "Kopiera alla",
    save: "Spara som fil",
    file: "lösenord.txt",
    new: "Nytt lösenord",
    copied: "Kopierat ✓",
    "selected.keys": "Markerat: tryck Ctrl+C",
    "selected.mac": "Markerat: tryck ⌘C",
    "selected.touch": "Markerat: håll fingret på texten och välj Kopiera",
    announcement: "Nytt lösenord. {strength}",
    strength: "Lösenordets styrka",
    strengthOf: "{verdict} · {bits} bitar",
    several: "{count} lösenord · vart och ett: {strength}",
    size: "{length} tecken",

    excellent: "Mycket starkt",
    strong: "Starkt",
    fair: "Godtagbart",
    weak: "Svagt",
    pin: "PIN-kod",
    time:
      "Tid att knäcka om en slarvig webbplats läcker det: {careless}. Om en noggrann gör det: {careful}.",
    "time.any": "Tid att knäcka om en webbplats läcker det: {careless}.",
    "time.pin":
      "Duger bara där antalet försök är begränsat, som på bankkort och telefoner.",
    instant: "mindre än en sekund",
    forever: "längre än universums ålder",
    how: "Hur räknas det ut?",
    calculation:
      "Inställningarna tillåter fler än 2{exponent} lösenord, och alla är lika sannolika. Tiderna gäller hälften av dem, vilket är vad en angripare i snitt måste pröva.",
    rates:
      "Från en slarvig webbplats hinner en angripare pröva en biljon gissningar i sekunden, från en noggrann en miljon.",
    verdicts:
      "Omdömet gäller en slarvig webbplats. ”Mycket starkt” håller längre än universums ålder, ”starkt” minst ett år, ”godtagbart” minst en timme.",
    "more.strength":
      "Vad tjänsten lovar, och hur du kontrollerar det (på engelska)",

    purposes: "Vad ska du ha lösenordet till?",
    manager: "För en lösenords\u00adhanterare",
    "manager.help":
      "Tjugo slumpade tecken. Du behöver aldrig skriva in dem själv.",
    remember: "Att komma ihåg",
    "remember.help":
      "Fem slumpade ord och två siffror. Hitta på en historia som innehåller dem.",
    type: "Att skriva in eller läsa upp",
    "type.help":
      "Sex korta ord med små bokstäver och bindestreck. Å och ä skrivs a, ö skrivs o.",
    "pin.purpose": "PIN-kod",
    "pin.help": "Sex siffror. Ändra längden om du behöver fyra.",
    site: "Enligt en webbplats regler",
    "site.help":
      "Kryssa i det som webbplatsen kräver, eller klistra in dess regel.",

    settings: "Inställningar",
    more: "Fler inställningar",
    kind: "Typ av lösenord",
    characters: "Tecken",
    words: "Ord",
    sentence: "Mening",
    rules: "Regler",

    raised: "Höjt till {value} för att nå {bits} bitar.",

    ticks: "Vad lösenordet ska innehålla",
    "ticks.no":
      "Kryssrutorna kan inte visa regeln. Töm den för att använda dem.",
    minlength: "Minsta antal tecken",
    maxlength: "Högsta antal tecken",
    "characters.rule": "Bara de här specialtecknen",

    "error.integer": "Ange ett heltal från {minimum} till {maximum}.",
    "error.minimumEntropy":
      "Med de här inställningarna blir det högst {limit} bitar.",
    "error.maximumLength": "Inställningarna kräver minst {limit} tecken.",
    "error.specialCharacterSet":
      "Skriv varje specialtecken en gång. Bokstäver, siffror och mellanslag går inte.",
    "error.passwordRules": "Regeln går inte att använda: {message}",
    "error.few": "Inga eller för få lösenord uppfyller regeln.",
    "error.position": "Regeln går inte att använda: fel vid tecken {position}.",
    "error.maxlength": "Högsta antal tecken måste vara minst {least}.",
    "error.count":
      "Med de här inställningarna går det att få högst {limit} lösenord.",
    "error.$": "Välj minst en typ av tecken.",
    fields: "Rätta de markerade fälten.",
    limit: "Du har skapat många lösenord.",
    seconds: "Vänta {seconds} s.",
    offline: "Du är inte ansluten till internet.",
    unreachable: "Tjänsten svarar inte. Försök igen om en stund.",
    failed: "Tjänsten kunde inte skapa något lösenord (statuskod {status}).",
    broken:
      "Något gick fel på sidan. Ladda om den eller prova en annan webbläsare.",

    noScript:
      "Den här sidan kräver JavaScript. Utan JavaScript kan du anropa tjänsten direkt. Byt ut ADDRESS mot värdnamnet, och porten om den finns, i sidans adress:",
    promises: "Vad tjänsten lovar (på engelska)",
    commandLine: "Utan server, på kommandoraden (på engelska)",
    docs: "För utvecklare (på engelska)",
  },
  en: {
    title: "Password generator",
    description:
      "Make strong passwords, passphrases and PINs. They are made at random on the server and never stored.",
    promise: "Generated at random on the server. Never stored, never logged.",
    pageLanguage: "Language of the page",
    result: "Your password",
    list: "Your passwords",
    copy: "Copy",
    copyAll: "Copy all",
    save: "Save to file",
    file: "passwords.txt",
    new: "New password",
    copied: "Copied ✓",
    "selected.keys": "Selected: press Ctrl+C",
    "selected.mac": "Selected: press ⌘C",
    "selected.touch": "Selected: touch and hold it, then choose Copy",
    announcement: "New password. {strength}",
    strength: "Strength of the password",
    strengthOf: "{verdict} · {bits} bits",
    several: "{count} passwords · {strength} each",
    size: "{length} characters",

    excellent: "Very strong",
    strong: "Strong",
    fair: "Fair",
    weak: "Weak",
    pin: "PIN",
    time:
      "Time to crack if a careless site leaks it: {careless}. If a careful one does: {careful}.",
    "time.any": "Time to crack if a site leaks it: {careless}.",
    "time.pin":
      "Good only where guesses are limited, such as a bank card or a phone.",
    instant: "less than a second",
    forever: "longer than the age of the universe",
    how: "How is this calculated?",
    calculation:
      "These settings allow more than 2{exponent} passwords, all equally likely. The times are for half of them, which is what an attacker needs on average.",
    rates:
      "With data from a careless site, an attacker can try a trillion guesses a second; from a careful one, a million.",
    verdicts:
      "The verdict is for a careless site. “Very strong” lasts longer than the age of the universe, “strong” at least a year, “fair” at least an hour.",
    "more.strength": "What the service promises, and how to check it",

    purposes: "What is the password for?",
    manager: "For a password manager",
    "manager.help": "Twenty random characters. You never have to type them.",
    remember: "To remember",
    "remember.help":
      "Five random words and two digits. Make up a story with them.",
    type: "To type or read aloud",
    "type.help": "Six short lower-case words joined by hyphens.",
    "pin.purpose": "PIN",
    "pin.help": "Six digits. Change the length if you need four.",
    site: "For a site’s rules",
    "site.help": "Tick what the site requires, or paste its rules.",

    settings: "Settings",
    more: "More settings",
    kind: "Kind of password",
    characters: "Characters",
    words: "Words",
    sentence: "Sentence",
    rules: "Rules",

    raised: "Raised to {value} to reach {bits} bits.",

    ticks: "What the password should contain",
    "ticks.no": "The checkboxes cannot show this rule. Clear it to use them.",
    minlength: "Minimum length",
    maxlength: "Maximum length",
    "characters.rule": "Only these special characters",

    "error.integer": "Enter a whole number from {minimum} to {maximum}.",
    "error.minimumEntropy": "These settings reach at most {limit} bits.",
    "error.maximumLength": "These settings need at least {limit} characters.",
    "error.specialCharacterSet":
      "Enter each special character once; no letters, digits or spaces.",
    "error.passwordRules": "The rule cannot be used: {message}",
    "error.few": "Too few passwords meet the rule, or none.",
    "error.position": "The rule cannot be used: error at character {position}.",
    "error.maxlength": "The maximum length must be at least {least}.",
    "error.count": "With these settings you can get at most {limit} passwords.",
    "error.$": "Choose at least one kind of character.",
    fields: "Correct the highlighted fields.",
    limit: "You’ve made a lot of passwords.",
    seconds: "Wait {seconds} s.",
    offline: "You are not connected to the internet.",
    unreachable: "The service is not responding. Try again in a moment.",
    failed: "The service could not make a password (status {status}).",
    broken:
      "Something went wrong on this page. Reload it, or try another browser.",

    noScript:
      "This page needs JavaScript. Without it you can call the service directly. Replace ADDRESS with the host name, and the port if there is one, in the address of this page:",
    promises: "What the service promises",
    commandLine: "Without a server: on the command line",
    docs: "For developers",
  },
};
