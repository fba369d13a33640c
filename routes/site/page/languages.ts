/**
 * The languages of the page, and their texts. A new language is a file with the keys of
 * en.json, and its entry in {@linkcode LANGUAGES}: the compiler says which text it lacks.
 *
 * @module
 */
import en from "./en.json" with { type: "json" };
import sv from "./sv.json" with { type: "json" };

/** The texts by language, in the order of the buttons on the page. */
export const LANGUAGES = { sv, en } satisfies Record<string, typeof en>;

/** The name of a language of the page. */
export type PageLanguage = keyof typeof LANGUAGES;

/** The texts about a field. */
interface FieldTexts {
  /** Its name on the page; a field without one is not there. */
  readonly label?: string;
  readonly help?: string;
  /** Why it is ignored with some values of other fields; /docs says this too. */
  readonly why?: string;
  /** The names of its values. */
  readonly values?: Readonly<Record<string, string>>;
}

/** The texts about the fields, in English. */
export const FIELD_TEXTS: Readonly<Record<string, FieldTexts>> = en.fields;

/**
 * The texts of the page in a language, by key. The key of a label is the name of the
 * field, and that of a value both names. A text can be empty in English: an error, which
 * the API explains in English.
 */
export function textsIn(language: PageLanguage): Record<string, string> {
  const { name: _, fields, ...regions } = LANGUAGES[language];
  const texts: Record<string, string> = {};
  for (const [field, about] of Object.entries<FieldTexts>(fields)) {
    const { label, help, why, values = {} } = about;
    if (!label) continue;
    texts[field] = label;
    if (help) texts[`help.${field}`] = help;
    if (why) texts[`why.${field}`] = why;
    for (const [value, text] of Object.entries(values)) {
      texts[`${field}.${value}`] = text;
    }
  }
  return Object.assign(texts, ...Object.values(regions));
}
