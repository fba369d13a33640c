/**
 * The texts of the page by language. The labels of fields have the names of the
 * fields as their keys.
 *
 * @module
 */
export const TEXTS = {
  sv: {
    title: "Lösenord",
    pageLanguage: "Sidans språk",
    result: "Ditt lösenord",
    letters: "bokstäver",
    digits: "siffror",
    symbols: "specialtecken",
    copy: "Kopiera",
    new: "Nytt",
    copied: "Kopierat.",
    selected: "Markerat: kopiera med Ctrl+C eller ⌘C.",
    kind: "Typ av lösenord",
    characters: "Tecken",
    words: "Ord",
    sentence: "Mening",

    length: "Längd",
    lowercase: "Små bokstäver a–z",
    uppercase: "Stora bokstäver A–Z",
    numbers: "Siffror 0–9",
    specialCharacters: "Specialtecken !#$%…",
    swedishCharacters: "Å, ä och ö",
    specialCharacterPercentage: "Andel specialtecken, % (0 = slumpas)",
    language: "Ordens språk",
    wordCount: "Antal ord",
    casing: "Stora och små bokstäver",
    "casing.lower": "alla små",
    "casing.upper": "ALLA STORA",
    "casing.first": "Första bokstaven stor",
    "casing.title": "Stor Bokstav I Varje Ord",
    numberPosition: "Siffrornas plats",
    "numberPosition.before": "före",
    "numberPosition.after": "efter",
    "numberPosition.between": "mellan orden",
    "numberPosition.all": "överallt",
    numberLength: "Siffror på varje plats",
    replaceSwedishCharacters: "Skriv å och ä som a, ö som o",
    replaceWithSpecialCharacters: "Skriv a, i, s, h som @, !, $, #",
    excludeAmbiguous: "Utan tecken som liknar varandra: 0 O 1 l I |",
    separator: "Mellan orden",
    "separator.": "ingenting",
    "separator.-": "bindestreck -",
    "separator..": "punkt .",
    "separator._": "understreck _",
    "separator. ": "mellanslag",
    "separator.,": "komma ,",
    minimumEntropy: "Minst så här många bitar (0 = inget krav)",

    bits: "{bits} bitar",
    weak:
      "Mycket svagt: bara där man spärras efter några försök, som en PIN-kod.",
    modest:
      "Svagt: för ställen som begränsar gissningar, om lite står på spel.",
    good:
      "Bra: för webbplatser som begränsar gissningar eller sparar lösenord väl.",
    strong:
      "Starkt: håller även om lösenorden stjäls från en webbplats och gissas med stor kraft.",
    key:
      "Mycket starkt: räcker även som nyckel till en disk eller säkerhetskopia.",
    time:
      "Stulet och dåligt skyddat gissas det i snitt på {time} (10¹² gissningar i sekunden).",
    instant:
      "Stulet och dåligt skyddat gissas det på under en sekund (10¹² gissningar i sekunden).",
    forever:
      "Även stulet och dåligt skyddat tar det längre tid att gissa än universum har funnits.",

    "error.integer": "Ange ett heltal från {minimum} till {maximum}.",
    "error.numberPosition":
      "Ett ord har inget mellanrum: välj före eller efter.",
    "error.minimumEntropy": "Med de här inställningarna går det till {most}.",
    "error.$": "Välj minst en sorts tecken.",
    fields: "Inget lösenord: rätta de markerade fälten.",
    limit:
      "För många lösenord från din adress på en minut. Ett nytt kommer när tiden är ute.",
    seconds: "{seconds} s",
    offline: "Du är inte ansluten till internet. Försök igen när du är det.",
    unreachable: "Tjänsten svarar inte. Försök igen om en stund.",
    failed: "Tjänsten kunde inte svara ({status}). Försök igen om en stund.",

    noScript:
      "Den här sidan behöver JavaScript. Utan det går det att fråga tjänsten direkt, med sidans adress i stället för ADDRESS:",
    promise: "Lösenordet skapas slumpmässigt på servern och sparas ingenstans.",
    docs: "API för program (på engelska)",
  },
  en: {
    title: "Passwords",
    pageLanguage: "Language of the page",
    result: "Your password",
    letters: "letters",
    digits: "digits",
    symbols: "symbols",
    copy: "Copy",
    new: "New",
    copied: "Copied.",
    selected: "Selected: copy it with Ctrl+C or ⌘C.",
    kind: "Kind of password",
    characters: "Characters",
    words: "Words",
    sentence: "Sentence",

    length: "Length",
    lowercase: "Lower case a–z",
    uppercase: "Upper case A–Z",
    numbers: "Digits 0–9",
    specialCharacters: "Special characters !#$%…",
    swedishCharacters: "å, ä and ö",
    specialCharacterPercentage: "Special characters, % (0 = by chance)",
    language: "Language of the words",
    wordCount: "Number of words",
    casing: "Upper and lower case",
    "casing.lower": "all lower",
    "casing.upper": "ALL UPPER",
    "casing.first": "First letter upper",
    "casing.title": "Every Word Capitalised",
    numberPosition: "Place of the digits",
    "numberPosition.before": "before",
    "numberPosition.after": "after",
    "numberPosition.between": "between the words",
    "numberPosition.all": "everywhere",
    numberLength: "Digits in each place",
    replaceSwedishCharacters: "Write å and ä as a, ö as o",
    replaceWithSpecialCharacters: "Write a, i, s, h as @, !, $, #",
    excludeAmbiguous: "Without look-alikes: 0 O 1 l I |",
    separator: "Between the words",
    "separator.": "nothing",
    "separator.-": "hyphen -",
    "separator..": "full stop .",
    "separator._": "underscore _",
    "separator. ": "space",
    "separator.,": "comma ,",
    minimumEntropy: "At least so many bits (0 = any)",

    bits: "{bits} bits",
    weak:
      "Very weak: only where guessing is stopped after a few tries, like a PIN.",
    modest: "Weak: for sites that limit guesses, where little is at stake.",
    good: "Good: for sites that limit guesses or store passwords well.",
    strong:
      "Strong: holds even if a site's passwords are stolen and guessed with great force.",
    key: "Very strong: enough even as the key of a disk or a backup.",
    time:
      "Stolen and poorly protected, it is guessed in {time} on average (10¹² guesses a second).",
    instant:
      "Stolen and poorly protected, it is guessed within a second (10¹² guesses a second).",
    forever:
      "Even stolen and poorly protected, guessing it takes longer than the universe has existed.",

    "error.integer": "Enter a whole number from {minimum} to {maximum}.",
    "error.numberPosition": "One word has no gap: choose before or after.",
    "error.minimumEntropy": "These settings reach at most {most}.",
    "error.$": "Choose at least one kind of character.",
    fields: "No password: correct the marked fields.",
    limit:
      "Too many passwords from your address in a minute. A new one comes when the time is up.",
    seconds: "{seconds} s",
    offline: "You are not connected to the internet. Try again when you are.",
    unreachable: "The service does not answer. Try again in a while.",
    failed: "The service could not answer ({status}). Try again in a while.",

    noScript:
      "This page needs JavaScript. Without it you can ask the service directly, with the address of this page in place of ADDRESS:",
    promise: "The password is made at random on the server and kept nowhere.",
    docs: "API for programs",
  },
};
