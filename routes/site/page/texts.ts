/**
 * The texts of the page in both languages. Those of a field are in its declaration.
 *
 * @module
 */
import type { Localized } from "../../api/fields.ts";

/** A text about an error, which the API itself explains in English. */
const swedish = (sv: string): Localized => ({ en: "", sv });

const TOO_MANY = swedish(
  "Så många får inte plats. Ange färre, eller minst längden {number}.",
);

const FEW_RUNS = swedish(
  "Ange ett högre tal, eller kräv färre av varje teckenslag.",
);

/** The texts by key. A word in braces is replaced. */
export const TEXTS: Readonly<Record<string, Localized>> = {
  title: { en: "Password generator", sv: "Lösenordsgenerator" },
  description: {
    en:
      "Make strong passwords, passphrases and PINs. They are made at random on the server and never stored.",
    sv:
      "Skapa starka lösenord, lösenordsfraser och PIN-koder. De slumpas fram på servern och sparas inte.",
  },
  promise: {
    en: "Generated at random on the server. Never stored, never logged.",
    sv: "Lösenorden slumpas fram på servern. De varken sparas eller loggas.",
  },
  pageLanguage: { en: "Language of the page", sv: "Sidans språk" },
  insecure: {
    en:
      "This page came over an unencrypted connection. Others on the network can read the passwords. Use an address that begins with https.",
    sv:
      "Sidan kom över en okrypterad anslutning. Andra på nätverket kan läsa lösenorden. Använd en adress som börjar med https.",
  },

  result: { en: "Your password", sv: "Ditt lösenord" },
  spell: { en: "Large, and how to say it", sv: "Stort, och hur du säger det" },
  list: { en: "Your passwords", sv: "Dina lösenord" },
  copy: { en: "Copy", sv: "Kopiera" },
  copyAll: { en: "Copy all", sv: "Kopiera alla" },
  copyOne: { en: "Copy password, {name}", sv: "Kopiera lösenord, {name}" },
  copied: { en: "Copied ✓", sv: "Kopierat ✓" },
  selected: { en: "Selected: copy it now", sv: "Markerat: kopiera nu" },
  copying: { en: "Copied when made …", sv: "Kopieras när det är klart …" },
  copyTable: { en: "Copy as table", sv: "Kopiera som tabell" },
  save: { en: "For a spreadsheet (CSV)", sv: "Till kalkylark (CSV)" },
  saved: { en: "Saved ✓", sv: "Sparat ✓" },
  file: { en: "passwords.csv", sv: "lösenord.csv" },
  columns: { en: "Name,Password", sv: "Namn,Lösenord" },
  "sheet.printed": { en: "Printed: {columns}.", sv: "Skrivs ut: {columns}." },
  "sheet.changes": {
    en: "A spreadsheet can change {cells}: import the columns as text.",
    sv: "Ett kalkylark kan ändra {cells}: importera kolumnerna som text.",
  },
  "sheet.formulas": {
    en: "Formulas get an apostrophe.",
    sv: "Formler får en apostrof.",
  },
  "sheet.login": {
    en: "Let each person change it at the first login.",
    sv: "Låt var och en byta det vid första inloggningen.",
  },
  print: { en: "Print list", sv: "Skriv ut lista" },
  slips: { en: "Print slips", sv: "Skriv ut lappar" },
  people: { en: "For several people", sv: "Till flera personer" },
  count: { en: "How many", sv: "Hur många" },
  table: {
    en: "Names, or a table with columns. It stays in this browser.",
    sv: "Namn, eller en tabell med kolumner. Den stannar i webbläsaren.",
  },
  "table.read": {
    en: "{count} people, first {first}.",
    sv: "{count} personer, först {first}.",
  },
  "table.column": {
    en: "Column of passwords: {column}. {kept} have one and keep it.",
    sv: "Lösenordskolumn: {column}. {kept} har ett och behåller det.",
  },
  "table.many": {
    en: "There are {count} people. Enter at most 1,000.",
    sv: "Det är {count} personer. Ange högst 1 000.",
  },
  "table.none": {
    en: "Nobody is in the table.",
    sv: "Ingen finns i tabellen.",
  },
  "table.open": {
    en: "Line {line}: a quotation mark stays open.",
    sv: "Rad {line}: ett citattecken avslutas inte.",
  },
  "table.wide": {
    en: "Line {line} has more cells than the heading.",
    sv: "Rad {line} har fler celler än rubriken.",
  },
  heading: {
    en: "The first row is a heading",
    sv: "Första raden är en rubrik",
  },
  every: {
    en: "Slips also for those who keep theirs",
    sv: "Lappar även till dem som behåller sitt",
  },
  make: { en: "Make {count} passwords", sv: "Skapa {count} lösenord" },
  cancel: { en: "Cancel", sv: "Avbryt" },
  progress: { en: "{done} of {count}", sv: "{done} av {count}" },
  old: { en: "From before the change.", sv: "Från före ändringen." },
  line: { en: "A line on each slip", sv: "En rad på varje lapp" },
  "line.example": { en: "Log in at …", sv: "Logga in på …" },
  new: { en: "New password", sv: "Nytt lösenord" },
  newSeveral: { en: "New passwords", sv: "Nya lösenord" },
  previous: { en: "Previous password", sv: "Förra lösenordet" },
  next: { en: "Next password", sv: "Nästa lösenord" },
  making: { en: "Making a password …", sv: "Skapar ett lösenord …" },
  large: { en: "Show large", sv: "Visa stort" },
  announcement: {
    en: "New password. {strength}",
    sv: "Nytt lösenord. {strength}",
  },
  "announcement.several": {
    en: "{count} passwords, {strength}",
    sv: "{count} lösenord, {strength}",
  },
  "announcement.history": {
    en: "Password {number} of {count}. {strength}",
    sv: "Lösenord {number} av {count}. {strength}",
  },
  repeat: {
    en: "The chance that two of them are equal is about {chance}.",
    sv: "Risken att två av dem är lika är ungefär {chance}.",
  },
  "repeat.none": {
    en:
      "All differ. A person who knows all the others has {lost} bits less to guess.",
    sv:
      "Alla är olika. Den som känner till alla andra har {lost} bitar mindre att gissa.",
  },
  different: {
    en: "Draw equal ones again until all differ",
    sv: "Dra lika lösenord igen tills alla är olika",
  },

  strength: { en: "Strength of the password", sv: "Lösenordets styrka" },
  strengthOf: { en: "{verdict} · {bits} bits", sv: "{verdict} · {bits} bitar" },
  several: {
    en: "{count} passwords · {strength} each",
    sv: "{count} lösenord · vart och ett: {strength}",
  },
  severalStrong: {
    en: "{count} passwords, all very strong · {bits} bits",
    sv: "{count} lösenord, alla mycket starka · {bits} bitar",
  },
  size: { en: "{length} characters", sv: "{length} tecken" },
  excellent: { en: "Very strong", sv: "Mycket starkt" },
  strong: { en: "Strong", sv: "Starkt" },
  fair: { en: "Fair", sv: "Godtagbart" },
  limited: { en: "For logins that lock", sv: "För inloggning som spärras" },
  weak: { en: "Weak", sv: "Svagt" },
  pin: { en: "PIN", sv: "PIN-kod" },
  time: {
    en:
      "Time to crack if a careless site leaks it: {careless}. If a careful one does: {careful}.",
    sv:
      "Tid att knäcka om en slarvig webbplats läcker det: {careless}. Om en noggrann gör det: {careful}.",
  },
  "time.tries": {
    en:
      "Time to crack at a trillion guesses a second (weak protection): {careless}. At a million (strong protection): {careful}.",
    sv:
      "Tid att knäcka med en biljon gissningar i sekunden (svagt skydd): {careless}. Med en miljon (starkt skydd): {careful}.",
  },
  "time.pin": {
    en:
      "Good only where guesses are limited, such as a bank card, a phone or a door.",
    sv:
      "Duger bara där antalet försök är begränsat, som på bankkort, telefoner och dörrar.",
  },
  "time.limited": {
    en:
      "Enough for an account that locks after some wrong tries, at school or work. Not for Wi-Fi, a disk or a password manager, where nothing limits the tries.",
    sv:
      "Räcker för ett konto som spärras efter några fel försök, i skolan eller på jobbet. Inte för wifi, en disk eller en lösenordshanterare, där inget begränsar försöken.",
  },
  instant: { en: "less than a second", sv: "mindre än en sekund" },
  forever: {
    en: "longer than the age of the universe",
    sv: "längre än universums ålder",
  },
  "stronger.words": {
    en: "Stronger: one more word",
    sv: "Starkare: ett ord till",
  },
  "stronger.sentence": {
    en: "Stronger: five words",
    sv: "Starkare: fem ord",
  },
  how: {
    en: "What does “{bits} bits” mean?",
    sv: "Vad betyder ”{bits} bitar”?",
  },
  calculation: {
    en:
      "These settings allow more than 2{exponent} passwords, all equally likely: {bits} bits. Each bit doubles the number. The times are for half of them, which is what an attacker needs on average.",
    sv:
      "Inställningarna tillåter fler än 2{exponent} lösenord, och alla är lika sannolika: det är {bits} bitar. Varje bit fördubblar antalet. Tiderna gäller hälften av dem, vilket är vad en angripare i snitt måste pröva.",
  },
  rates: {
    en:
      "With data from a careless site, an attacker can try a trillion guesses a second; from a careful one, a million.",
    sv:
      "Från en slarvig webbplats hinner en angripare pröva en biljon gissningar i sekunden, från en noggrann en miljon.",
  },
  verdicts: {
    en:
      "The verdict is for a trillion guesses a second. “Very strong” lasts longer than the age of the universe, “strong” at least a year, “fair” at least an hour. Less is for logins that permit few guesses.",
    sv:
      "Omdömet gäller en biljon gissningar i sekunden. ”Mycket starkt” håller längre än universums ålder, ”starkt” minst ett år, ”godtagbart” minst en timme. Mindre är för inloggningar som tillåter få försök.",
  },

  practise: { en: "Practise it", sv: "Öva" },
  "practise.note": {
    en:
      "Type the password from memory and press Enter. The one above is hidden while you type. Nothing is kept when you leave the page.",
    sv:
      "Skriv lösenordet ur minnet och tryck på Enter. Det ovanför döljs medan du skriver. Inget sparas när du lämnar sidan.",
  },
  "practise.label": {
    en: "The password, from memory",
    sv: "Lösenordet, ur minnet",
  },
  "practise.other": {
    en: "A password of another day (empty: the one above)",
    sv: "Ett lösenord från en annan dag (tomt: det här ovanför)",
  },
  "practise.show": { en: "Show again", sv: "Visa igen" },
  "practise.which": { en: "What is wrong?", sv: "Vad är fel?" },
  "practise.wrong": {
    en: "Word {number} is wrong or missing, or what stands after it.",
    sv: "Ord {number} är fel eller saknas, eller det som står efter det.",
  },
  "practise.check": { en: "Check", sv: "Kontrollera" },
  "practise.no": {
    en: "Not yet. Of another day? Fill in the first field too.",
    sv: "Inte än. Från en annan dag? Fyll i första fältet också.",
  },
  "practise.yes": { en: "Right: {count} of 3.", sv: "Rätt: {count} av 3." },
  "practise.done": {
    en: "Right, three times. Practise again tomorrow.",
    sv: "Rätt, tre gånger. Öva igen i morgon.",
  },

  purposes: {
    en: "What is the password for?",
    sv: "Vad ska du ha lösenordet till?",
  },
  "purpose.manager": {
    en: "A password manager",
    sv: "Till en lösenords\u00adhanterare",
  },
  "help.manager": {
    en: "Random characters. You never have to type them.",
    sv: "Slumpade tecken. Du behöver aldrig skriva in dem själv.",
  },
  "purpose.remember": { en: "To remember", sv: "Att komma ihåg" },
  "help.remember": {
    en: "Random words. Make up a story with them.",
    sv: "Slumpade ord. Hitta på en historia som innehåller dem.",
  },
  "help.sentence": {
    en:
      "Easy to picture, but weaker than five words. Not for what can be copied and tried, such as an account on a site.",
    sv:
      "Lätt att se framför sig, men svagare än fem ord. Inget för det som kan kopieras och prövas, som ett konto på en webbplats.",
  },
  "presets.remember": { en: "Made of", sv: "Består av" },
  "preset.remember": { en: "Words", sv: "Ord" },
  "preset.sentence": {
    en: "A sentence: adjective, noun, verb, adverb",
    sv: "En mening: adjektiv, substantiv, verb, adverb",
  },
  "purpose.type": {
    en: "To type or read aloud",
    sv: "Att skriva in eller läsa upp",
  },
  "help.type": {
    en:
      "Short lower-case words and hyphens. For a pupil or Wi-Fi, choose below.",
    sv:
      "Korta ord med små bokstäver och bindestreck, utan å, ä och ö. För en elev eller wifi, välj nedan.",
  },
  "presets.type": { en: "For", sv: "För" },
  "preset.type": { en: "reading and typing", sv: "att läsa och skriva" },
  "preset.pupil": {
    en: "a pupil: three words, two digits",
    sv: "en elev: tre ord, två siffror",
  },
  "help.pupil": {
    en:
      "Easy to read and type. For a login that locks after some wrong tries. Entra ID and Google take it.",
    sv:
      "Lätt att läsa och skriva. För en inloggning som spärras efter några fel försök. Entra ID och Google godtar det.",
  },
  "preset.wifi": { en: "Wi-Fi, also on a TV", sv: "wifi, även på en tv" },
  "help.wifi": {
    en: "Small letters and digits: a TV’s keyboard shows both, but no signs.",
    sv:
      "Små bokstäver och siffror: tangentbordet på en tv visar båda, men inga tecken.",
  },
  "purpose.pin": { en: "PIN", sv: "PIN-kod" },
  "help.pin": { en: "Only digits.", sv: "Bara siffror." },
  "size.length": { en: "{size} digits", sv: "{size} siffror" },
  "size.wordCount": { en: "{size} words", sv: "{size} ord" },
  "purpose.site": {
    en: "A site with its own requirements",
    sv: "Till en webbplats med egna krav",
  },
  "presets.site": { en: "Requirements of", sv: "Krav från" },
  "preset.site": {
    en: "a site: set them here",
    sv: "en webbplats: ställ in dem här",
  },
  "preset.entra": {
    en: "Microsoft Entra ID, Active Directory",
    sv: "Microsoft Entra ID, Active Directory",
  },
  "help.entra": {
    en:
      "8–256 characters, three of four kinds, no å, ä or ö. No characters that look alike.",
    sv:
      "8–256 tecken, tre av fyra slag, inget å, ä eller ö. Inga tecken som är lätta att förväxla.",
  },
  "preset.google": { en: "Google Workspace", sv: "Google Workspace" },
  "help.google": {
    en: "8–100 characters, no å, ä or ö. No characters that look alike.",
    sv:
      "8–100 tecken, inget å, ä eller ö. Inga tecken som är lätta att förväxla.",
  },
  "preset.rds": { en: "Amazon RDS", sv: "Amazon RDS" },
  "help.rds": {
    en: '8–30 characters, which all engines take, and none of / " @ &.',
    sv: '8–30 tecken, som alla databaser godtar, och inget av / " @ &.',
  },
  "preset.oracle": { en: "Oracle Database", sv: "Oracle Database" },
  "help.oracle": {
    en: "At most 30 characters: a letter first, then letters, digits and _.",
    sv: "Högst 30 tecken: först en bokstav, sedan bokstäver, siffror och _.",
  },
  "preset.azure": {
    en: "an Azure virtual machine",
    sv: "en virtuell dator i Azure",
  },
  "help.azure": {
    en: "12–123 characters (Linux: at most 72), three of four kinds.",
    sv: "12–123 tecken (Linux: högst 72), tre av fyra slag.",
  },
  "help.site": {
    en:
      "Set what the site requires. A site that says “8–16 characters”: enter 16.",
    sv: "Ställ in vad webbplatsen kräver. Om den säger ”8–16 tecken”: ange 16.",
  },
  "length.site": {
    en: "Length: the longest that the site allows",
    sv: "Längd: det längsta som webbplatsen tillåter",
  },
  passwordRules: {
    en: "Rule for password managers",
    sv: "Regel för lösenordshanterare",
  },
  "help.passwordRules": {
    en:
      "Not a sentence: the Password Rules language, such as minlength: 8; required: upper; allowed: lower, digit",
    sv:
      "Ingen mening, utan formatet Password Rules, till exempel minlength: 8; required: upper; allowed: lower, digit",
  },
  more: { en: "More settings", sv: "Fler inställningar" },
  settings: { en: "Settings", sv: "Inställningar" },

  range: {
    en: "Enter a whole number from {min} to {max}.",
    sv: "Ange ett heltal från {min} till {max}.",
  },
  error: swedish("Värdet går inte ihop med de andra inställningarna."),
  "error.$": swedish("Välj minst en sorts tecken."),
  "error.off": swedish(
    "Bara 0 går ihop med de andra inställningarna. Är teckenslaget valt?",
  ),
  "error.specialCharacterSet": swedish(
    "Ange högst 32 olika specialtecken, inga bokstäver, siffror eller mellanslag.",
  ),
  "error.separatorSet": swedish(
    "Ange högst 16 olika tecken, inga bokstäver eller siffror.",
  ),
  "error.minimumLowercase": TOO_MANY,
  "error.minimumUppercase": TOO_MANY,
  "error.minimumNumbers": TOO_MANY,
  "error.minimumSpecialCharacters": TOO_MANY,
  "error.excludeCharacters": swedish("Då finns inget kvar av ett teckenslag."),
  "error.beginWithLetter": swedish(
    "Ingen bokstav är tillåten eller får plats.",
  ),
  "error.maximumRepeating": FEW_RUNS,
  "error.maximumSequential": FEW_RUNS,
  "error.passwordRules": swedish(
    "Den går inte att läsa eller att uppfylla. Töm rutan, och ställ in kraven i de andra fälten.",
  ),
  "error.numberPosition": swedish(
    "Ett enda ord har inget mellanrum. Välj före eller efter.",
  ),
  "error.maximumLength": swedish(
    "Så korta lösenord finns inte. Tillåt minst {number} tecken, eller välj färre ord.",
  ),
  "error.minimumLength": swedish(
    "Så långa lösenord finns inte. Kräv högst {number} tecken, eller välj fler ord.",
  ),
  "error.minimumEntropy": swedish(
    "Så starka lösenord finns inte med de här inställningarna. Ange högst {number} bitar.",
  ),

  alike: {
    en: "The settings allow too few different passwords. Make them longer.",
    sv: "Inställningarna ger för få olika lösenord. Gör dem längre.",
  },
  limit: {
    en: "Many passwords were asked for from this network.",
    sv: "Många lösenord har begärts från det här nätverket.",
  },
  offline: {
    en: "You are not connected to the internet.",
    sv: "Du är inte ansluten till internet.",
  },
  unreachable: {
    en: "The service is not responding.",
    sv: "Tjänsten svarar inte.",
  },
  busy: {
    en: "The service has too much to do.",
    sv: "Tjänsten har för mycket att göra.",
  },
  failed: {
    en: "The service could not make a password (status {status}).",
    sv: "Tjänsten kunde inte skapa något lösenord (statuskod {status}).",
  },
  broken: {
    en: "Something went wrong on this page. Reload it, or try another browser.",
    sv:
      "Något gick fel på sidan. Ladda om den eller prova en annan webbläsare.",
  },
  countdown: {
    en: "Trying again in {seconds} s.",
    sv: "Försöker igen om {seconds} s.",
  },

  "large.capital": { en: "capital", sv: "stort" },
  spelling: {
    en:
      "Alfa Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima Mike November Oscar Papa Quebec Romeo Sierra Tango Uniform Victor Whiskey X-ray Yankee Zulu Å-ring Ä-dots Ö-dots",
    sv:
      "Adam Bertil Cesar David Erik Filip Gustav Helge Ivar Johan Kalle Ludvig Martin Niklas Olof Petter Qvintus Rudolf Sigurd Tore Urban Viktor Wilhelm Xerxes Yngve Zäta Åke Ärlig Östen",
  },
  as: { en: "as in", sv: "som i" },
  signs: {
    en:
      "exclamation mark,quotation mark,hash,dollar,percent,ampersand,apostrophe,left parenthesis,right parenthesis,asterisk,plus,comma,hyphen,full stop,slash,colon,semicolon,less than,equals,greater than,question mark,at,left bracket,backslash,right bracket,caret,underscore,backtick,left brace,vertical bar,right brace,tilde,space",
    sv:
      "utropstecken,citattecken,nummertecken,dollar,procent,et-tecken,apostrof,vänsterparentes,högerparentes,asterisk,plus,komma,bindestreck,punkt,snedstreck,kolon,semikolon,mindre än,lika med,större än,frågetecken,snabel-a,vänster hakparentes,omvänt snedstreck,höger hakparentes,cirkumflex,understreck,grav accent,vänster klammer,lodstreck,höger klammer,tilde,mellanslag",
  },

  trust: {
    en: "What does the server keep, and how do I know?",
    sv: "Vad sparar servern, och hur vet jag det?",
  },
  "trust.why": {
    en:
      "Why a server makes passwords: it is one place for all devices and scripts, with rules, exact bits and words that no browser has, and nothing to install.",
    sv:
      "Varför en server skapar lösenord: den är en plats för alla enheter och skript, med regler, exakta bitar och ord som ingen webbläsare har, och inget behöver installeras.",
  },
  "trust.unfit": {
    en:
      "Where it does not fit: if you have a password manager, use its own generator, and take a passkey where a site offers one.",
    sv:
      "Var den inte passar: har du en lösenordshanterare, använd dess egen generator, och ta en inloggningsnyckel (passkey) där en webbplats erbjuder det.",
  },
  "trust.how": {
    en:
      "The server draws each password with the cryptographic random generator of its operating system, so that all passwords that the settings allow are equally likely. It sends it once, to you.",
    sv:
      "Servern drar varje lösenord med operativsystemets kryptografiska slumpgenerator, så att alla lösenord som inställningarna tillåter är lika sannolika. Den skickar det en gång, till dig.",
  },
  "trust.kept": {
    en:
      "The server keeps your network address in memory for a minute or two (or a keyed hash of it in a database), to limit how much one visitor can ask for. It keeps no password and no settings. This page uses no cookies and loads nothing from anyone else.",
    sv:
      "Servern har din nätverksadress i minnet i någon minut (eller en nycklad hash av den i en databas), för att begränsa hur mycket en besökare kan begära. Den sparar varken lösenord eller inställningar. Sidan använder inga kakor och hämtar inget från någon annan.",
  },
  "trust.admits": {
    en:
      "Whoever controls the server or a proxy in front of it can read passwords. Its operator can turn on a log of the time and the kind of each request, without addresses and passwords. A password that was sent stays in freed memory of the process until that is used again.",
    sv:
      "Den som styr servern eller en proxy framför den kan läsa lösenord. Den som driver servern kan slå på en logg över tid och slag för varje förfrågan, utan adresser och lösenord. Ett lösenord som har skickats finns kvar i frigjort minne hos processen tills det används igen.",
  },
  "trust.check": {
    en:
      "Check it: open the developer tools of your browser (F12), choose Network, and make a new password. There is one request to this server, with your settings, and the response says that nobody may store it (Cache-Control: no-store).",
    sv:
      "Kontrollera själv: öppna webbläsarens utvecklarverktyg (F12), välj Nätverk och skapa ett nytt lösenord. Då syns en enda förfrågan till den här servern, med dina inställningar, och svaret säger att ingen får spara det (Cache-Control: no-store).",
  },
  "trust.limits": {
    en:
      "You cannot see from here what the server really runs. If you do not trust its owner, make passwords with the same program on your own computer, without a server:",
    sv:
      "Härifrån kan du inte se vad servern faktiskt kör. Om du inte litar på den som äger den, skapa lösenorden med samma program på din egen dator, utan server:",
  },
  "trust.local": {
    en: "How to do that",
    sv: "Så gör du (på engelska)",
  },
  "trust.promises": {
    en: "What the service promises, and what it cannot",
    sv: "Vad tjänsten lovar, och inte kan lova (på engelska)",
  },

  noScript: {
    en:
      "This page needs JavaScript. Without it you can call the service directly. Replace ADDRESS with the host name, and the port if there is one, in the address of this page:",
    sv:
      "Den här sidan kräver JavaScript. Utan JavaScript kan du anropa tjänsten direkt. Byt ut ADDRESS mot värdnamnet, och porten om den finns, i sidans adress:",
  },
  docs: { en: "For developers", sv: "För utvecklare (på engelska)" },

  "notFound.title": { en: "Not found", sv: "Sidan finns inte" },
  "notFound.text": {
    en: "There is no page at this address.",
    sv: "Det finns ingen sida på den här adressen.",
  },
};
