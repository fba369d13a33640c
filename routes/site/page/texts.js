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
    new: "Nytt lösenord",
    copied: "Kopierat.",
    "selected.keys": "Markerat: kopiera med Ctrl+C.",
    "selected.mac": "Markerat: kopiera med ⌘C.",
    "selected.touch": "Markerat: håll fingret på lösenordet och välj Kopiera.",
    announcement: "Nytt lösenord. {strength}",
    strength: "Lösenordets styrka",
    settings: "Inställningar",
    kind: "Typ av lösenord",
    characters: "Tecken",
    words: "Ord",
    sentence: "Mening",

    length: "Längd",
    lowercase: "Små bokstäver a–z",
    uppercase: "Stora bokstäver A–Z",
    numbers: "Siffror 0–9",
    specialCharacters: "Specialtecken som !#$%",
    swedishCharacters: "Bokstäverna åäö och ÅÄÖ",
    specialCharacterPercentage:
      "Andel specialtecken i procent (0 = slumpen avgör)",
    language: "Ordens språk",
    wordCount: "Antal ord",
    casing: "Stora och små bokstäver",
    "casing.lower": "alla små",
    "casing.upper": "ALLA STORA",
    "casing.first": "Första ordet med stor bokstav",
    "casing.title": "Varje Ord Med Stor Bokstav",
    numberPosition: "Siffrornas placering",
    "numberPosition.before": "före orden",
    "numberPosition.after": "efter orden",
    "numberPosition.between": "mellan orden",
    "numberPosition.all": "före, mellan och efter",
    numberLength: "Antal siffror på varje plats",
    replaceSwedishCharacters: "Skriv å och ä som a och ö som o",
    replaceWithSpecialCharacters: "Skriv a, i, s och h som @, !, $ och #",
    excludeAmbiguous: "Utan tecken som liknar varandra: 0 O 1 l I |",
    separator: "Avgränsare",
    "separator.": "ingen",
    "separator.-": "bindestreck -",
    "separator..": "punkt .",
    "separator._": "understreck _",
    "separator. ": "mellanslag",
    "separator.,": "komma ,",
    minimumEntropy: "Lägsta styrka i bitar (0 = inget krav)",

    bits: "{bits} bitar",
    time: "Om det stjäls och är dåligt skyddat knäcks det i snitt på {time}",
    instant:
      "Om det stjäls och är dåligt skyddat knäcks det i snitt på mindre än en sekund",
    forever:
      "Även om det stjäls och är dåligt skyddat tar det i snitt längre tid än universums ålder att knäcka det",
    rate: "(vid en miljon gissningar i sekunden).",
    weak:
      "Svagt: räcker på sin höjd där inloggningen spärras efter några försök.",
    modest: "Godtagbart: räcker för tjänster som begränsar antalet försök.",
    strong:
      "Starkt: håller även om det stjäls från en webbplats som lagrar lösenord säkert.",
    excellent: "Mycket starkt: knäcks inte ens med stor datorkraft.",
    "why.noSpecials": "Har ingen verkan utan specialtecken.",
    "why.english": "Engelska ord har varken å, ä eller ö.",
    "why.noDigits": "Har ingen verkan utan siffror.",

    "error.integer": "Ange ett heltal från {minimum} till {maximum}.",
    "error.minimumEntropy":
      "Med de här inställningarna blir det högst {most} bitar.",
    "error.$": "Välj minst en typ av tecken.",
    fields: "Inget lösenord skapades. Rätta det som är markerat.",
    limit:
      "För många lösenord till din internetanslutning på en minut. Fler går att få när nedräkningen är slut.",
    seconds: "{seconds} s",
    offline:
      "Du är inte ansluten till internet. Försök igen när du är ansluten.",
    unreachable: "Tjänsten svarar inte. Försök igen om en stund.",
    failed:
      "Tjänsten kunde inte skapa något lösenord (statuskod {status}). Försök igen om en stund.",
    broken:
      "Något gick fel på sidan. Ladda om den eller prova en annan webbläsare.",

    noScript:
      "Den här sidan kräver JavaScript. Utan JavaScript kan du anropa tjänsten direkt. Byt ut ADDRESS mot sidans adress utan ”https://”:",
    promise: "Lösenordet slumpas fram på servern och sparas ingenstans.",
    docs: "API-dokumentation (på engelska)",
  },
  en: {
    title: "Passwords",
    pageLanguage: "Language of the page",
    result: "Your password",
    letters: "letters",
    digits: "digits",
    symbols: "symbols",
    copy: "Copy",
    new: "New password",
    copied: "Copied.",
    "selected.keys": "Selected: copy it with Ctrl+C.",
    "selected.mac": "Selected: copy it with ⌘C.",
    "selected.touch": "Selected: hold the password and choose Copy.",
    announcement: "New password. {strength}",
    strength: "Strength of the password",
    settings: "Settings",
    kind: "Kind of password",
    characters: "Characters",
    words: "Words",
    sentence: "Sentence",

    length: "Length",
    lowercase: "Lower case a–z",
    uppercase: "Upper case A–Z",
    numbers: "Digits 0–9",
    specialCharacters: "Special characters like !#$%",
    swedishCharacters: "The letters åäö and ÅÄÖ",
    specialCharacterPercentage: "Special characters, % (0 = by chance)",
    language: "Language of the words",
    wordCount: "Number of words",
    casing: "Upper and lower case",
    "casing.lower": "all lower",
    "casing.upper": "ALL UPPER",
    "casing.first": "First word capitalised",
    "casing.title": "Every Word Capitalised",
    numberPosition: "Place of the digits",
    "numberPosition.before": "before the words",
    "numberPosition.after": "after the words",
    "numberPosition.between": "between the words",
    "numberPosition.all": "before, between and after",
    numberLength: "Digits in each place",
    replaceSwedishCharacters: "Write å and ä as a, ö as o",
    replaceWithSpecialCharacters: "Write a, i, s, h as @, !, $, #",
    excludeAmbiguous: "Without look-alikes: 0 O 1 l I |",
    separator: "Separator",
    "separator.": "none",
    "separator.-": "hyphen -",
    "separator..": "full stop .",
    "separator._": "underscore _",
    "separator. ": "space",
    "separator.,": "comma ,",
    minimumEntropy: "Least strength in bits (0 = any)",

    bits: "{bits} bits",
    time:
      "If it is stolen and poorly protected, it is cracked in {time} on average",
    instant:
      "If it is stolen and poorly protected, it is cracked within a second on average",
    forever:
      "Even if it is stolen and poorly protected, cracking it takes longer than the age of the universe on average",
    rate: "(at a million guesses a second).",
    weak: "Weak: at best where the login is blocked after a few tries.",
    modest: "Fair: for services that limit the number of tries.",
    strong:
      "Strong: holds even if stolen from a site that stores passwords securely.",
    excellent: "Very strong: not cracked even with great computing power.",
    "why.noSpecials": "Has no effect without special characters.",
    "why.english": "English words have no å, ä and ö.",
    "why.noDigits": "Has no effect without digits.",

    "error.integer": "Enter a whole number from {minimum} to {maximum}.",
    "error.minimumEntropy": "These settings reach at most {most} bits.",
    "error.$": "Choose at least one kind of character.",
    fields: "No password was made. Correct what is marked.",
    limit:
      "Too many passwords for your internet connection in a minute. More are possible after the countdown.",
    seconds: "{seconds} s",
    offline: "You are not connected to the internet. Try again when you are.",
    unreachable: "The service does not answer. Try again in a while.",
    failed:
      "The service could not make a password (status {status}). Try again in a while.",
    broken:
      "Something went wrong on this page. Reload it, or try another browser.",

    noScript:
      "This page needs JavaScript. Without it you can call the service directly. Replace ADDRESS by the address of this page without “https://”:",
    promise: "The password is made at random on the server and kept nowhere.",
    docs: "API documentation",
  },
};
