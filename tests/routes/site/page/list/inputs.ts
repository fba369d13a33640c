/**
 * Tables of people as others write them. Names are invented, headings are not.
 *
 * @module
 */
import type { Choices } from "../../../../../routes/site/page/list/reading.js";

/** What the reader does: reads at once, reads after an answer, or refuses. */
type Outcome = "read" | "asks" | "refused";

/** A table, and what becomes of it with the passwords 1, 2, 3; or the key of an error. */
export type Input = [
  outcome: Outcome,
  text: string,
  result: string,
  chosen?: Choices,
];

/** learn.microsoft.com/entra/identity/users/users-bulk-add, read 2026-11 (stored copy). */
const ENTRA = "Name [displayName] Required,User name [userPrincipalName] " +
  "Required,Initial password [passwordProfile] Required,Block sign in " +
  "(Yes/No) [accountEnabled] Required,First name [givenName]";
/** support.google.com/a/answer/40057, read 2026-11 (stored copy); headings of its file. */
const GOOGLE = "First Name [Required],Last Name [Required],Email Address " +
  "[Required],Password [Required],Password Hash Function [UPLOAD ONLY]," +
  "Org Unit Path [Required],Change Password at Next Sign-In";
/** support.apple.com/guide/apple-school-manager/axm1bd5a3b1e, read 2026-11. */
const APPLE = "person_id,person_number,first_name,middle_name,last_name," +
  "grade_level,email_address,sis_username,password_policy,location_id";
/** bitwarden.com/help/condition-bitwarden-import, read 2026-11 (stored copy). */
const BITWARDEN = "folder,favorite,type,name,notes,fields,reprompt," +
  "login_uri,login_username,login_password,login_totp";
/** support.1password.com/cs/import-mac, read 2026-11 (stored copy). */
const ONE_PASSWORD = "Title,Website,Username,Password";
/** docs.moodle.org/en/Upload_users; lang/en/help/uploadusers.html, read 2026-11. */
const MOODLE = "username,password,firstname,lastname,email";
/** plus.elevspel.se/om/hjalp/skapa-elevkonton-fran-excel, read 2026-11. */
const ELEVSPEL = "Förnamn;Efternamn;E-postadress";

const names = (count: number) =>
  Array.from({ length: count }, (_, i) => `Elev ${i}\n`).join("");

export const INPUTS: Input[] = [
  // Public reports about 1.4.0: white space, separators, quotes, titles.
  ["read", "Name;Password\nEmma; \nBo;", "Name;Password\nEmma;1\nBo;2"],
  ["read", "Name;Password\nEmma;\u00a0\nBo;x", "Name;Password\nEmma;1\nBo;x"],
  [
    "read",
    "sep=;\r\nNamn;Klass;Lösenord\r\nEmma;7B;\r\nBo;7B;\r\n",
    "sep=;\r\nNamn;Klass;Lösenord\r\nEmma;7B;1\r\nBo;7B;2\r\n",
  ],
  ["read", "sep=;\nEmma\nBo\n", "sep=;\nEmma;1\nBo;2\n"],
  [
    "read",
    "Name;Class\nEmma;7B;\nBo;7B;",
    "Name;Class;Password\nEmma;7B;1\nBo;7B;2",
  ],
  [
    "read",
    "Name;Class;Group\nEmma;7B\nBo;7B;Red",
    "Name;Class;Group;Password\nEmma;7B;;1\nBo;7B;Red;2",
  ],
  ["read", "Name,Password\nA,,\nB,,", "Name,Password\nA,1,\nB,2,"],
  [
    "read",
    "First\u00a0name;Last\u00a0name\nEmma;Lind",
    "First\u00a0name;Last\u00a0name;Password\nEmma;Lind;1",
  ],
  [
    "read",
    '"name", "class"\n"Emma", "7B"',
    '"name", "class","Password"\n"Emma", "7B","1"',
  ],
  [
    "read",
    "Name, Email\nEmma Lind, emma@x.example",
    "Name, Email,Password\nEmma Lind, emma@x.example,1",
  ],
  [
    "read",
    "Klass 7B;;\nNamn;Klass;E-post\nEmma;7B;e@x.example",
    "Klass 7B;;\nNamn;Klass;E-post;Password\nEmma;7B;e@x.example;1",
  ],
  [
    "read",
    "Klass 7B, våren\n\nNamn;Klass\nEmma;7B\nBo;7B",
    "Klass 7B, våren\n\nNamn;Klass;Password\nEmma;7B;1\nBo;7B;2",
  ],
  [
    "asks",
    "a,,a@x.example\nb,,b@x.example",
    "a,1,a@x.example\nb,2,b@x.example",
    { column: 1 },
  ],
  [
    "asks",
    "Åsa <a@x.example>; Bo <b@x.example>",
    "Åsa <a@x.example>; Bo <b@x.example>;1",
    { separator: ";" },
  ],
  ["asks", "Emma\t7B\tBlå", "Emma\t7B\tBlå\t1", {
    separator: "\t",
    heading: -1,
  }],
  // Headings of passwords.
  ...[
    "user_pass",
    "AccountPassword",
    "userPassword",
    "Temporary password",
    "New password",
    "Startlösenord",
    "Tillfälligt lösenord",
    "Password*",
    "Password:",
    "Password (required)",
    "Initial\u00a0password",
    "LÖSENORD",
    "losenord",
  ].map((heading): Input => [
    "read",
    `x;${heading};y\n1;;2\n3;old;4`,
    `x;${heading};y\n1;1;2\n3;old;4`,
  ]),
  // Other headings.
  ...[
    "E-postadress;Årskurs",
    "Email address;Grade",
    "Deltagare;Grupp",
    "Name*;Age",
    "Användarnamn (obligatoriskt);Skola",
    "Elev;Klass",
    "displayName;mail",
    "Surname;Given name",
  ].map((heading): Input => [
    "read",
    `${heading}\nEmma;7\nBo;8`,
    `${heading};Password\nEmma;7;1\nBo;8;2`,
  ]),
  [
    "read",
    "Student ID;Personnummer elev\n1;20150501-1234\n2;20150502-1234",
    "Student ID;Personnummer elev;Password\n1;20150501-1234;1\n2;20150502-1234;2",
  ],
  [
    "read",
    "Name;Passport\nEmma;x1\nBo;x2",
    "Name;Passport;Password\nEmma;x1;1\nBo;x2;2",
  ],
  [
    "read",
    "name|class|password\nEmma|7B|\nBo|7B|x",
    "name|class|password\nEmma|7B|1\nBo|7B|x",
  ],
  // What no rule decides.
  [
    "asks",
    "Namn;Lösenordspolicy\nEmma;4",
    "Namn;Lösenordspolicy;Password\nEmma;4;1",
    { column: 2 },
  ],
  [
    "asks",
    "Name;Must change password\nEmma;Yes",
    "Name;Must change password;Password\nEmma;Yes;1",
    { column: 2 },
  ],
  [
    "asks",
    "Name;Password;Password\nEmma;;",
    "Name;Password;Password\nEmma;1;",
    { column: 1 },
  ],
  [
    "asks",
    "First;Last\nEmma;Lind\nBo;Ek",
    "First;Last;Password\nEmma;Lind;1\nBo;Ek;2",
    { heading: 0 },
  ],
  ["asks", "Emma;Lind\nBo;Ek", "Emma;Lind;1\nBo;Ek;2", { heading: -1 }],
  [
    "asks",
    "Klass 7B\nEmma\nBo",
    "Klass 7B\tPassword\nEmma\t1\nBo\t2",
    { heading: 0 },
  ],
  [
    "asks",
    "Name;Initial password\nEmma;Yes\nBo;",
    "Name;Initial password;Password\nEmma;Yes;1\nBo;;2",
    { column: 2 },
  ],
  [
    "asks",
    "Namn;Gammalt lösenord\nEmma;x\nBo;",
    "Namn;Gammalt lösenord;Password\nEmma;x;1\nBo;;2",
    { column: 2 },
  ],
  ["asks", "Emma;okänd\nBo;7", "Emma;okänd;1\nBo;7;2", { heading: -1 }],
  [
    "asks",
    "Klassnamn;7B;\nNamn;Klass;Lösenord\nEmma;7B;",
    "Klassnamn;7B;\nNamn;Klass;Lösenord\nEmma;7B;1",
    { heading: 1 },
  ],
  ["asks", "Namn;PIN\nEmma;\nBo;", "Namn;PIN\nEmma;1\nBo;2", { column: 1 }],
  ["asks", "Lind, Emma\nBo Ek", "Lind, Emma\t1\nBo Ek\t2", { separator: "" }],
  ["asks", "Lind, A;7B\nEk, B;7B", "Lind, A;7B;1\nEk, B;7B;2", {
    separator: ";",
    heading: -1,
  }],
  [
    "asks",
    "Emma;e@x.example;old\nBo;b@x.example;",
    "Emma;e@x.example;old\nBo;b@x.example;1",
    { column: 2 },
  ],
  [
    "asks",
    "Namn\nLind, Emma\nEk, Bo",
    "Namn\tPassword\nLind, Emma\t1\nEk, Bo\t2",
    {
      separator: "",
    },
  ],
  // 1.4.0 read these.
  ["read", "Emma\n\n  Bo Ek \r\n", "Emma\t1\n\n  Bo Ek \t2\r\n"],
  [
    "asks",
    "Lind, Emma\nEk, Bo",
    "Lind, Emma\t1\nEk, Bo\t2",
    { separator: "" },
  ],
  [
    "read",
    "Emma;Lind;e@x.example\nBo;Ek;b@x.example",
    "Emma;Lind;e@x.example;1\nBo;Ek;b@x.example;2",
  ],
  [
    "read",
    "Förnamn;Efternamn;E-post\nEmma;Lind;e@x.example",
    "Förnamn;Efternamn;E-post;Password\nEmma;Lind;e@x.example;1",
  ],
  [
    "asks",
    "Emma\t7B\tx,y\nBo\t7B\t\n",
    "Emma\t7B\tx,y\t1\nBo\t7B\t\t2\n",
    { heading: -1, column: 3 },
  ],
  [
    "asks",
    'Emma;"Gatan 1\r\n123 ""X"""\nBo;y\n;\n \n',
    'Emma;"Gatan 1\r\n123 ""X""";1\nBo;y;2\n;\n \n',
    { heading: -1 },
  ],
  ["read", "Elev\nEmma\nBo", "Elev\tPassword\nEmma\t1\nBo\t2"],
  [
    "read",
    `${ONE_PASSWORD}\nMail,https://x.example,emma,`,
    `${ONE_PASSWORD}\nMail,https://x.example,emma,1`,
  ],
  [
    "read",
    '\ufeffnumber,name,password\r\n1,"Emma","Old 1"\r\n2,"Bo",""\r\n',
    '\ufeffnumber,name,password\r\n1,"Emma","Old 1"\r\n2,"Bo","1"\r\n',
  ],
  // Last week's file with new names below it, as files are joined.
  [
    "read",
    "\ufeffNamn;Lösenord\r\nEmma;Old 1\r\n\ufeffA\nB\nC\nD",
    "\ufeffNamn;Lösenord\r\nEmma;Old 1\r\n\ufeffA;1\nB;2\nC;3\nD;4",
  ],
  [
    "read",
    'name,password\nEmma,=Abc+1\nBo,"  a b "\nLi,',
    'name,password\nEmma,=Abc+1\nBo,"  a b "\nLi,1',
  ],
  ["read", "001\n002\n028", "001\t1\n002\t2\n028\t3"],
  [
    "read",
    "user1@contoso.example\na@x.name",
    "user1@contoso.example\t1\na@x.name\t2",
  ],
  [
    "read",
    "Emma,2015-05-01\nBo,2015-06-02",
    "Emma,2015-05-01,1\nBo,2015-06-02,2",
  ],
  [
    "read",
    'a@x.example,"Lind, Emma"\nb@x.example,"Ek, Bo"',
    'a@x.example,"Lind, Emma",1\nb@x.example,"Ek, Bo",2',
  ],
  ["asks", 'x;=C3&"";x', 'x;=C3&"";x;1', { separator: ";", heading: -1 }],
  ...["Anna Hauser", "Janame", "O'Neil", "علي", '"Bo" Ek'].map((
    name,
  ): Input => ["read", `${name}\nBo`, `${name}\t1\nBo\t2`]),
  // Forms of others.
  [
    "read",
    `${ENTRA}\nEmma,e@x.example,,No,Emma\nBo,b@x.example,Old 1,No,Bo`,
    `${ENTRA}\nEmma,e@x.example,1,No,Emma\nBo,b@x.example,Old 1,No,Bo`,
  ],
  [
    "read",
    `version:v1.0,,,,\r\n${ENTRA}\r\nExample: Chris Green,chris@contoso.example,myPassword1234,No,Chris\r\nEmma,e@x.example,,No,Emma\r\n`,
    `version:v1.0,,,,\r\n${ENTRA}\r\nExample: Chris Green,chris@contoso.example,myPassword1234,No,Chris\r\nEmma,e@x.example,1,No,Emma\r\n`,
  ],
  [
    "read",
    `version:v1.0\n${ENTRA}\nEmma,e@x.example,,No,`,
    `version:v1.0\n${ENTRA}\nEmma,e@x.example,1,No,`,
  ],
  // Pasted from a spreadsheet.
  [
    "read",
    `version:v1.0\t\t\t\t\n${
      ENTRA.replaceAll(",", "\t")
    }\nEmma\te@x.example\t\tNo\t`,
    `version:v1.0\t\t\t\t\n${
      ENTRA.replaceAll(",", "\t")
    }\nEmma\te@x.example\t1\tNo\t`,
  ],
  [
    "read",
    `${GOOGLE}\nEmma,Lind,e@x.example,****,,/,True\nBo,Ek,b@x.example,,,/,True`,
    `${GOOGLE}\nEmma,Lind,e@x.example,****,,/,True\nBo,Ek,b@x.example,1,,/,True`,
  ],
  [
    "asks",
    `${APPLE}\nA1,49,Emma,,Lind,7,e@x.example,emma,4,S1\n`,
    `${APPLE},Password\nA1,49,Emma,,Lind,7,e@x.example,emma,4,S1,1\n`,
    { column: 10 },
  ],
  [
    "read",
    `${BITWARDEN}\n,,login,Mail,,,0,https://x.example,emma,,`,
    `${BITWARDEN}\n,,login,Mail,,,0,https://x.example,emma,1,`,
  ],
  [
    "read",
    `${MOODLE}\nemma,,Emma,Lind,e@x.example\n`,
    `${MOODLE}\nemma,1,Emma,Lind,e@x.example\n`,
  ],
  [
    "read",
    "username, password, firstname, lastname, email\nemma, , Emma, Lind, e@x.example\n",
    "username, password, firstname, lastname, email\nemma,1, Emma, Lind, e@x.example\n",
  ],
  [
    "read",
    `${ELEVSPEL}\r\nÅsa;Öberg;\r\nBo;Ek;b@x.example\r\n`,
    `${ELEVSPEL};Password\r\nÅsa;Öberg;;1\r\nBo;Ek;b@x.example;2\r\n`,
  ],
  // support.office.com, "Add several users at the same time to Microsoft 365", 2026-11.
  [
    "read",
    "User Name,First Name,Last Name,Display Name,ZIP or Postal Code\r\n" +
    "chris@contoso.example,Chris,Green,Chris Green,98052\r\n",
    "User Name,First Name,Last Name,Display Name,ZIP or Postal Code,Password\r\n" +
    "chris@contoso.example,Chris,Green,Chris Green,98052,1\r\n",
  ],
  // turbogeek.co.uk, "Bulk Create Active Directory Users", 2026-11.
  [
    "read",
    "FirstName,LastName,SamAccountName,Password,OU\n" +
    'Emma,Lind,emma,,"OU=7B,DC=x"\nBo,Ek,bo,,"OU=7B,DC=x"\n',
    "FirstName,LastName,SamAccountName,Password,OU\n" +
    'Emma,Lind,emma,1,"OU=7B,DC=x"\nBo,Ek,bo,2,"OU=7B,DC=x"\n',
  ],
  // www2.microstrategy.com, Import Users from File, 2026-11.
  [
    "read",
    "NAME,FULLNAME,PASSWORD,CHANGEPWD,ALLOWCHANGEPWD\nemma,Emma Lind,,TRUE,TRUE\n",
    "NAME,FULLNAME,PASSWORD,CHANGEPWD,ALLOWCHANGEPWD\nemma,Emma Lind,1,TRUE,TRUE\n",
  ],
  // support.itslearning.com/sv-SE, Importera användare från CSV-fil, 2026-11.
  [
    "read",
    "Förnamn;Efternamn;Användarnamn;Lösenord;E-post\r\nÅsa;Öberg;asa;;\r\n",
    "Förnamn;Efternamn;Användarnamn;Lösenord;E-post\r\nÅsa;Öberg;asa;1;\r\n",
  ],
  // support.inspera.com/hc/sv, Importera en CSV-fil, 2026-11: no heading.
  [
    "read",
    "Åsa,Öberg,a@x.example,Skola\nBo,Ek,b@x.example,Skola\n",
    "Åsa,Öberg,a@x.example,Skola,1\nBo,Ek,b@x.example,Skola,2\n",
  ],
  // support.moava.no, Importere brukerliste, 2026-11: in Norwegian.
  [
    "asks",
    "Brukernavn;Passord;Fornavn;Etternavn\r\nemma;;Emma;Lind\r\n",
    "Brukernavn;Passord;Fornavn;Etternavn\r\nemma;1;Emma;Lind\r\n",
    { column: 1 },
  ],
  // bitwarden2lastpass (docs.rs), Generic CSV of LastPass, 2026-11.
  [
    "read",
    "url,username,password,totp,extra,name,grouping,fav\nhttps://x.example,emma,,,,Mail,,0\n",
    "url,username,password,totp,extra,name,grouping,fav\nhttps://x.example,emma,1,,,Mail,,0\n",
  ],
  // skola24.com/support, Importera föräldrar CSV, read 2026-11: without a heading.
  [
    "asks",
    "20150501-1234;19800101-1234;Eva;Lind;e@x.example;0701234567\n20150502-1234;19800102-1234;Bo;Ek",
    "20150501-1234;19800101-1234;Eva;Lind;e@x.example;0701234567;1\n20150502-1234;19800102-1234;Bo;Ek;;;2",
    { column: 6 },
  ],
  // skoltavlan.nu/importera-elever, read 2026-11: the fourth of six is the password.
  [
    "asks",
    "Emma Lind\te@x.example\temma\t\t7B\tBlå\nBo Ek\tb@x.example\tbo\t\t7B\tRöd\n",
    "Emma Lind\te@x.example\temma\t1\t7B\tBlå\nBo Ek\tb@x.example\tbo\t2\t7B\tRöd\n",
    { column: 3 },
  ],
  // As programs save: Excel in Swedish, LibreOffice with all text quoted, Google Sheets.
  [
    "read",
    '\ufeffNamn;Snitt;Lösenord\r\nEmma;1,5;\r\n"Ek; Bo";2,5;"a""b"\r\n',
    '\ufeffNamn;Snitt;Lösenord\r\nEmma;1,5;1\r\n"Ek; Bo";2,5;"a""b"\r\n',
  ],
  [
    "read",
    '"Namn","Klass","Lösenord"\n"Åsa Öberg","7B",""\n"Ek, Bo","7B",\n',
    '"Namn","Klass","Lösenord"\n"Åsa Öberg","7B","1"\n"Ek, Bo","7B","2"\n',
  ],
  [
    "read",
    'Name,Class,Password\r\n"Lind, Emma",7B,\r\nBo,7B,\r\n,,',
    'Name,Class,Password\r\n"Lind, Emma",7B,1\r\nBo,7B,2\r\n,,',
  ],
  ["read", "Name;x\rEmma;7\r", "Name;x;Password\rEmma;7;1\r"],
  [
    "read",
    "Name\tPassword\nEmma\told\nBo\nCia",
    "Name\tPassword\nEmma\told\nBo\t1\nCia\t2",
  ],
  // Refused, with the line.
  ["refused", 'name;class\nEmma;"7\nB"\nBo;7B;x\n', "wide 4"],
  ["refused", 'name;class\nEmma;x\nBo;"7B', "open 3"],
  ["refused", 'Emma\n"Bo\nLi', "open 2"],
  ["refused", " \n;;\n", "none 1"],
  ["refused", "Name;Password\n;", "none 1"],
  ["refused", names(1001), "many 1"],
  ["refused", names(100_000), "many 1"],
  [
    "refused",
    `Name;Class\n${"Bo;7B\n".repeat(500)}${"x;".repeat(4000)}`,
    "long 502",
  ],
  ["read", `${"1".repeat(60_000)}=\nBo`, `${"1".repeat(60_000)}=\t1\nBo\t2`],
  [
    "read",
    `"${"x".repeat(60_000)}" y\nBo`,
    `"${"x".repeat(60_000)}" y\t1\nBo\t2`,
  ],
];
