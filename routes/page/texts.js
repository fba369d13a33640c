/**
 * What the page says, by language. The names of fields and of their values
 * stand for their labels.
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
    symbols: "tecken",
    copy: "Kopiera",
    new: "Nytt",
    copied: "Kopierat.",
    selected: "Markerat: kopiera med Ctrl+C eller ⌘C.",
    kind: "Sorts lösenord",
    characters: "Tecken",
    words: "Ord",
    sentence: "Mening",

    length: "Längd",
    lowercase: "Små bokstäver a–z",
    uppercase: "Stora bokstäver A–Z",
    numbers: "Siffror 0–9",
    specialCharacters: "Specialtecken !#$%…",
    swedishCharacters: "Å, ä och ö",
    specialCharacterPercentage: "Andel specialtecken, % (0: slumpen)",
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

    bits: "{bits} bitar",
    weak:
      "Mycket svagt: bara där gissandet stoppas efter några försök, som en PIN-kod.",
    modest:
      "Svagt: för ställen som begränsar gissningar, om lite står på spel.",
    good:
      "Bra: för webbplatser som begränsar gissningar eller sparar lösenord väl.",
    strong:
      "Starkt: håller också om en webbplats stulna lösenord gissas med stor kraft.",
    key:
      "Mycket starkt: räcker även som nyckel till en disk eller säkerhetskopia.",
    time: "Gissas i snitt på {time} med 10¹² gissningar i sekunden.",
    instant: "Gissas på under en sekund med 10¹² gissningar i sekunden.",
    forever:
      "Med 10¹² gissningar i sekunden tar det längre tid än universum har funnits.",

    "error.integer": "Ange ett heltal från {minimum} till {maximum}.",
    "error.numberPosition":
      "Ett enda ord har inget mellanrum: välj före eller efter.",
    "error.$": "Välj minst en sorts tecken.",
    fields: "Inget lösenord: se det som är markerat.",
    limit:
      "För många lösenord från din adress på en minut. Ett nytt kommer när tiden är ute.",
    seconds: "{seconds} s",
    offline: "Du är inte ansluten till internet. Försök igen när du är det.",
    unreachable: "Tjänsten svarar inte. Försök igen om en stund.",
    failed: "Tjänsten kunde inte svara ({status}). Försök igen om en stund.",

    without:
      "Den här sidan behöver JavaScript. Utan det går det att fråga tjänsten själv, med sidans adress i stället för ADDRESS:",
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
    specialCharacterPercentage: "Special characters, % (0: by chance)",
    language: "Language of the words",
    wordCount: "Number of words",
    casing: "Upper and lower case",
    "casing.lower": "all lower",
    "casing.upper": "ALL UPPER",
    "casing.first": "First letter upper",
    "casing.title": "Each Word's First Upper",
    numberPosition: "Place of the digits",
    "numberPosition.before": "before",
    "numberPosition.after": "after",
    "numberPosition.between": "between the words",
    "numberPosition.all": "everywhere",
    numberLength: "Digits in each place",
    replaceSwedishCharacters: "Write å and ä as a, ö as o",
    replaceWithSpecialCharacters: "Write a, i, s, h as @, !, $, #",

    bits: "{bits} bits",
    weak:
      "Very weak: only where guessing is stopped after a few tries, like a PIN.",
    modest: "Weak: for sites that limit guesses, where little is at stake.",
    good: "Good: for sites that limit guesses or store passwords well.",
    strong:
      "Strong: holds even if a site's passwords are stolen and guessed with great force.",
    key: "Very strong: enough even as the key of a disk or a backup.",
    time: "Guessed in {time} on average, at 10¹² guesses a second.",
    instant: "Guessed within a second, at 10¹² guesses a second.",
    forever:
      "At 10¹² guesses a second it takes longer than the universe has existed.",

    "error.integer": "Enter a whole number from {minimum} to {maximum}.",
    "error.numberPosition":
      "A single word has nothing between: choose before or after.",
    "error.$": "Choose at least one kind of character.",
    fields: "No password: see what is marked.",
    limit:
      "Too many passwords from your address in a minute. A new one comes when the time is up.",
    seconds: "{seconds} s",
    offline: "You are not connected to the internet. Try again when you are.",
    unreachable: "The service does not answer. Try again in a while.",
    failed: "The service could not answer ({status}). Try again in a while.",

    without:
      "This page needs JavaScript. Without it you can ask the service itself, with the address of this page in place of ADDRESS:",
    promise: "The password is made at random on the server and kept nowhere.",
    docs: "API for programs",
  },
};
