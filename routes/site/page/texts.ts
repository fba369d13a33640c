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
      "This page came over an unencrypted connection: others on the network can read the passwords. Use an address that begins with https.",
    sv:
      "Sidan kom över en okrypterad anslutning: andra på nätverket kan läsa lösenorden. Använd en adress som börjar med https.",
  },
  unknown: {
    en: "The password does not follow this part of the link: {names}.",
    sv: "Lösenordet följer inte den här delen av länken: {names}.",
  },

  result: { en: "Your password", sv: "Ditt lösenord" },
  list: {
    en: "Your passwords: the arrow keys go through the copy buttons",
    sv: "Dina lösenord: piltangenterna går mellan knapparna som kopierar",
  },
  copy: { en: "Copy", sv: "Kopiera" },
  copyAll: { en: "Copy all", sv: "Kopiera alla" },
  copyOne: { en: "Copy password, {name}", sv: "Kopiera lösenord, {name}" },
  copied: { en: "Password copied", sv: "Lösenordet är kopierat" },
  copiedAll: { en: "Passwords copied", sv: "Lösenorden är kopierade" },
  selected: {
    en: "Selected: copy it now",
    sv: "Markerat: kopiera nu",
  },
  refused: {
    en: "Could not copy. Press Show, then copy.",
    sv: "Det gick inte att kopiera. Tryck på Visa och kopiera sedan.",
  },
  copying: { en: "Copied when made …", sv: "Kopieras när det är klart …" },
  copyTable: { en: "Copy as table", sv: "Kopiera som tabell" },
  save: { en: "For a spreadsheet (CSV)", sv: "Till kalkylark (CSV)" },
  saved: { en: "File saved", sv: "Filen är sparad" },
  file: { en: "passwords.csv", sv: "lösenord.csv" },
  columns: { en: "Name,Password", sv: "Namn,Lösenord" },
  "sheet.printed": { en: "On paper: {columns}.", sv: "På papper: {columns}." },
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
  "why.count": { en: "The table has as many.", sv: "Tabellen har så många." },
  table: {
    en:
      "Names, or a table with columns. They stay here until you leave the page.",
    sv:
      "Namn, eller en tabell med kolumner. De stannar här tills du lämnar sidan.",
  },
  "table.read": {
    en: "People: {count}. First: {first}. Their passwords are above.",
    sv: "Personer: {count}. Första: {first}. Deras lösenord står ovanför.",
  },
  "table.twice": {
    en: "{person} stands twice.",
    sv: "{person} står två gånger.",
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
  old: {
    en: "These are from before the change.",
    sv: "De här är från före ändringen.",
  },
  line: { en: "A line on each slip", sv: "En rad på varje lapp" },
  "line.example": { en: "Log in at …", sv: "Logga in på …" },
  new: { en: "New password", sv: "Nytt lösenord" },
  newSeveral: { en: "New passwords", sv: "Nya lösenord" },
  undo: { en: "Undo", sv: "Ångra" },
  undone: { en: "Undone: {strength}.", sv: "Ångrat: {strength}." },
  making: { en: "Making a password …", sv: "Skapar ett lösenord …" },
  large: { en: "Show large", sv: "Visa stort" },
  close: { en: "Close", sv: "Stäng" },
  hide: { en: "Hide", sv: "Dölj" },
  show: { en: "Show", sv: "Visa" },
  "hide.password": { en: "Hide password", sv: "Dölj lösenordet" },
  "show.password": { en: "Show password", sv: "Visa lösenordet" },
  "hide.list": { en: "Hide passwords", sv: "Dölj lösenorden" },
  "show.list": { en: "Show passwords", sv: "Visa lösenorden" },
  hidden: { en: "Password hidden", sv: "Lösenordet är dolt" },
  announcement: {
    en: "New password: {strength}.",
    sv: "Nytt lösenord: {strength}.",
  },
  "announcement.several": {
    en: "{count} passwords, {strength}.",
    sv: "{count} lösenord, {strength}.",
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
  "size.parts": {
    en: "{length} characters, no spaces",
    sv: "{length} tecken, inga mellanslag",
  },
  "size.length": { en: "{length} characters. ", sv: "{length} tecken. " },
  "size.wordCount": { en: "{wordCount} words. ", sv: "{wordCount} ord. " },
  "length.less": { en: "Shorter", sv: "Kortare" },
  "length.more": { en: "Longer", sv: "Längre" },
  "wordCount.less": { en: "Fewer words", sv: "Färre ord" },
  "wordCount.more": { en: "More words", sv: "Fler ord" },
  excellent: { en: "Very strong", sv: "Mycket starkt" },
  strong: { en: "Strong", sv: "Starkt" },
  fair: { en: "Fair", sv: "Godtagbart" },
  limited: { en: "For logins that lock", sv: "För inloggning som spärras" },
  weak: { en: "Weak", sv: "Svagt" },
  pin: { en: "PIN", sv: "PIN-kod" },
  time: {
    en:
      "Time to crack at a trillion guesses a second, with data from a careless site: {careless}. At a million, from a careful one: {careful}.",
    sv:
      "Tid att knäcka med en biljon gissningar i sekunden, med data från en slarvig webbplats: {careless}. Med en miljon, från en noggrann: {careful}.",
  },
  "time.weak": {
    en:
      "A computer tries all of them at once. Make it longer, or use it only where guesses are limited.",
    sv:
      "En dator prövar alla på ett ögonblick. Gör det längre, eller använd det bara där antalet försök är begränsat.",
  },
  "time.pin": {
    en:
      "Good only where guesses are limited, such as a bank card, a phone or a door.",
    sv:
      "Duger bara där antalet försök är begränsat, som på bankkort, telefoner och dörrar.",
  },
  "time.limited": {
    en:
      "Enough for an account that locks after some wrong tries. Not for Wi-Fi, a disk or a password manager, where nothing limits the tries.",
    sv:
      "Räcker för ett konto som spärras efter några fel försök. Inte för wifi, en disk eller en lösenordshanterare, där inget begränsar försöken.",
  },
  instant: { en: "less than a second", sv: "mindre än en sekund" },
  forever: {
    en: "longer than the age of the universe",
    sv: "längre än universums ålder",
  },
  how: {
    en: "What does “{bits} bits” mean?",
    sv: "Vad betyder ”{bits} bitar”?",
  },
  calculation: {
    en:
      "These settings allow more than 2{exponent} passwords, all equally likely: {bits} bits. Each bit doubles the number. If you choose among 8 passwords, count 3 bits less. The times are for half of them, the average.",
    sv:
      "Inställningarna tillåter fler än 2{exponent} lösenord, och alla är lika sannolika: det är {bits} bitar. Varje bit fördubblar antalet. Om du väljer bland 8 lösenord, räkna 3 bitar mindre. Tiderna gäller hälften av dem, genomsnittet.",
  },
  verdicts: {
    en:
      "The verdict is for a trillion guesses a second. “Very strong” lasts longer than the age of the universe, “strong” at least a year, “fair” at least an hour. Less is for logins that permit few guesses.",
    sv:
      "Omdömet gäller en biljon gissningar i sekunden. ”Mycket starkt” håller längre än universums ålder, ”starkt” minst ett år, ”godtagbart” minst en timme. Mindre är för inloggningar som tillåter få försök.",
  },

  about: { en: "About this password", sv: "Om lösenordet" },

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
      "Easy to picture, but weaker than five words: for a login that locks after some wrong tries, not for Wi-Fi, a disk or a password manager.",
    sv:
      "Lätt att se framför sig, men svagare än fem ord: för en inloggning som spärras efter några fel försök, inte för wifi, en disk eller en lösenordshanterare.",
  },
  "presets.remember": { en: "Made of", sv: "Består av" },
  "preset.remember": { en: "Words", sv: "Ord" },
  "preset.sentence": {
    en: "A sentence of four words",
    sv: "En mening med fyra ord",
  },
  "purpose.type": {
    en: "To type or say",
    sv: "Att skriva eller säga",
  },
  "help.type": {
    en:
      "Short lower-case words and hyphens. If the keyboard may be set to another language, choose the full stop under More settings.",
    sv:
      "Korta ord med små bokstäver och bindestreck, utan å, ä och ö. Om tangentbordet kan ha ett annat språk, välj punkt under Fler inställningar.",
  },
  "presets.type": { en: "Made of", sv: "Består av" },
  "preset.type": { en: "Short words", sv: "Korta ord" },
  "preset.pupil": {
    en: "For a pupil: three words, two digits",
    sv: "För en elev: tre ord, två siffror",
  },
  "help.pupil": {
    en:
      "For a login that locks after some wrong tries. Entra ID and Google take it. On a keyboard of another country, the hyphen is on another key.",
    sv:
      "För en inloggning som spärras efter några fel försök. Entra ID och Google godtar det. På ett annat lands tangentbord sitter bindestrecket på en annan tangent.",
  },
  "purpose.wifi": { en: "Wi-Fi", sv: "Wifi" },
  "help.wifi": {
    en:
      "Small letters and digits: a TV’s keyboard shows both, but no special characters.",
    sv:
      "Små bokstäver och siffror: tangentbordet på en tv visar båda, men inga specialtecken.",
  },
  "wifi.ssid": { en: "Name of the network", sv: "Nätverkets namn" },
  "wifi.help": {
    en: "For a code that phones scan. It is not sent, and not kept.",
    sv: "För en kod som telefoner läser av. Det skickas inte och sparas inte.",
  },
  "wifi.network": {
    en: "Wi-Fi {name}: scan the code, or type the password without spaces.",
    sv: "Wifi {name}: läs av koden, eller skriv lösenordet utan mellanslag.",
  },
  "wifi.code": {
    en: "Code to join the network {name}",
    sv: "Kod för att ansluta till nätverket {name}",
  },
  "wifi.scan": {
    en:
      "Set this password in the router. Then scan the code with another device; on this one, copy the password.",
    sv:
      "Ställ in lösenordet i routern. Läs sedan av koden med en annan enhet; på den här, kopiera lösenordet.",
  },
  "wifi.name": {
    en: "No code: the name is too long. A network’s name has at most 32 bytes.",
    sv: "Ingen kod: namnet är för långt. Ett nätverks namn har högst 32 byte.",
  },
  "wifi.password": {
    en: "No code: a Wi-Fi password has 8 to 63 characters, without å, ä and ö.",
    sv: "Ingen kod: ett wifi-lösenord har 8 till 63 tecken, utan å, ä och ö.",
  },
  "wifi.signs": {
    en: "No code: phones misread a \\ at the end, and quotes around all.",
    sv:
      "Ingen kod: telefoner läser fel på \\ sist, och på citattecken runt allt.",
  },
  "wifi.hidden": {
    en: "The code has the password. Press Show to see it.",
    sv: "Koden innehåller lösenordet. Tryck på Visa för att se den.",
  },
  "wifi.loading": { en: "Making the code …", sv: "Skapar koden …" },
  "wifi.print": { en: "Print a card", sv: "Skriv ut ett kort" },
  "purpose.pin": { en: "PIN", sv: "PIN-kod" },
  "help.pin": { en: "Only digits.", sv: "Bara siffror." },
  "purpose.site": {
    en: "A site with rules",
    sv: "En webbplats med krav",
  },
  "presets.site": { en: "Requirements of", sv: "Krav från" },
  "preset.site": {
    en: "a site: set them here",
    sv: "en webbplats: ställ in dem här",
  },
  "preset.entra": {
    en: "Entra ID, Active Directory, Google",
    sv: "Entra ID, Active Directory, Google",
  },
  "help.entra": {
    en:
      "8–100 characters, three of four kinds, no å, ä or ö. No characters that look alike.",
    sv:
      "8–100 tecken, tre av fyra slag, inget å, ä eller ö. Inga tecken som är lätta att förväxla.",
  },
  "help.site": {
    en:
      "If the site says “8–16 characters”, enter 16. Each kind that is ticked occurs at least once when the length has room; å, ä and ö never. More settings: how many of a kind, a letter first, what to leave out.",
    sv:
      "Om webbplatsen säger ”8–16 tecken”, ange 16. Varje slag som är valt finns med minst en gång när längden räcker; å, ä och ö aldrig. Fler inställningar: hur många av ett slag, en bokstav först, vad som inte får finnas med.",
  },
  more: { en: "More settings", sv: "Fler inställningar" },
  settings: { en: "Settings", sv: "Inställningar" },

  range: {
    en: "Enter a whole number from {min} to {max}.",
    sv: "Ange ett heltal från {min} till {max}.",
  },
  twice: { en: "{sign} stands twice.", sv: "{sign} står två gånger." },
  "note.listed": {
    en: "Read as {signs}, without the comma.",
    sv: "Läses som {signs}, utan kommatecknet.",
  },
  "note.letters": {
    en: "This leaves out the letters {letters} too. å, ä and ö never occur.",
    sv: "Då saknas också bokstäverna {letters}. å, ä och ö finns aldrig med.",
  },
  "note.swedish": {
    en: "å, ä and ö never occur.",
    sv: "å, ä och ö finns aldrig med.",
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
  "large.capitals": { en: "all capitals", sv: "bara stora bokstäver" },
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
  "trust.unfit": {
    en:
      "When something else is better: a passkey, where a site offers one. The generator of a password manager makes equally strong ones without a network; take this page for a rule or for words that it does not know.",
    sv:
      "När något annat är bättre: en inloggningsnyckel (passkey), där en webbplats erbjuder det. Generatorn i en lösenordshanterare gör lika starka lösenord utan nätverk; ta den här sidan för krav eller ord som den inte kan.",
  },
  "trust.how": {
    en:
      "The server draws each password with the cryptographic random generator of its operating system: all passwords that the settings allow are equally likely. It sends it once, to you.",
    sv:
      "Servern drar varje lösenord med operativsystemets kryptografiska slumpgenerator: alla lösenord som inställningarna tillåter är lika sannolika. Den skickar det en gång, till dig.",
  },
  "trust.kept": {
    en:
      "The server keeps your network address in memory for a minute or two (or a keyed hash of it in a database), to limit how much one visitor can ask for. It keeps no password and no settings; the address of this page has the settings. This page has no cookies and loads nothing from others.",
    sv:
      "Servern har din nätverksadress i minnet i någon minut (eller en nycklad hash av den i en databas), för att begränsa hur mycket en besökare kan begära. Den sparar varken lösenord eller inställningar; inställningarna står i sidans adress. Sidan har inga kakor och hämtar inget från andra.",
  },
  "trust.admits": {
    en:
      "Whoever controls the server or a proxy in front of it can read passwords. Its operator can turn on a log of the time and the kind of each request, without addresses and passwords.",
    sv:
      "Den som styr servern eller en proxy framför den kan läsa lösenord. Den som driver servern kan slå på en logg över tid och slag för varje förfrågan, utan adresser och lösenord.",
  },
  "trust.check": {
    en:
      "Check it: open the developer tools of your browser (F12), choose Network, and make a new password. You see one request to this server, and in its response that nobody may store it (Cache-Control: no-store).",
    sv:
      "Kontrollera själv: öppna webbläsarens utvecklarverktyg (F12), välj Nätverk och skapa ett nytt lösenord. Du ser en förfrågan till den här servern, och i svaret att ingen får spara det (Cache-Control: no-store).",
  },
  "trust.limits": {
    en:
      "You cannot see from here what the server really runs. If you do not trust its owner, use a generator on your own device.",
    sv:
      "Härifrån kan du inte se vad servern faktiskt kör. Om du inte litar på den som äger den, använd en generator på din egen enhet.",
  },
  "trust.promises": {
    en: "What the service promises, and what it cannot (as text)",
    sv: "Vad tjänsten lovar, och inte kan lova (som text, på engelska)",
  },

  noScript: {
    en:
      "This page needs JavaScript. Without it you can call the service directly, with the host (and the port) of this page instead of ADDRESS:",
    sv:
      "Den här sidan kräver JavaScript. Utan JavaScript kan du anropa tjänsten direkt, med sidans värdnamn (och port) i stället för ADDRESS:",
  },
  docs: { en: "For developers", sv: "För utvecklare (på engelska)" },
  "docs.text": { en: "The API as text", sv: "API:et som text (på engelska)" },

  "notFound.title": { en: "Not found", sv: "Sidan finns inte" },
  "notFound.text": {
    en: "There is no page at this address.",
    sv: "Det finns ingen sida på den här adressen.",
  },
};
