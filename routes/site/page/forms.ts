/**
 * The forms of the page: one for each endpoint, with an input for each of its
 * fields. `data-text` is the key of a text (mod.ts).
 *
 * @module
 */
import { REPLACED } from "../../api/characters.ts";
import type { Endpoint } from "../../api/endpoint.ts";
import type { Field } from "../../api/fields.ts";
import { API } from "../../api/mod.ts";
import { escapeHtml } from "../html.ts";

/** Texts longer than this get several lines. */
const MAX_LINE = 200;

/** Writes attributes; one that is true has no value, one that is false is left out. */
function attributes(
  values: Record<string, string | number | boolean | undefined>,
): string {
  return Object.entries(values)
    .filter(([, value]) => value !== false && value !== undefined)
    .map(([name, value]) =>
      value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`
    ).join("");
}

function options(name: string, field: Field<unknown>): string {
  return field.values!.map((value) =>
    `<option${
      attributes({
        value,
        selected: value === field.default,
        "data-text": `${name}.${value}`,
      })
    }></option>`
  ).join("");
}

/** The input of a field. */
function input(id: string, name: string, field: Field<unknown>): string {
  const { type, range, values, maxLength, defaultIsUnset } = field;
  const own = { id, name, "aria-describedby": `${id}-note` };
  if (type === "boolean") {
    const checked = field.default === true;
    return `<input${attributes({ type: "checkbox", ...own, checked })}>`;
  }
  if (values) {
    return `<select${attributes(own)}>${options(name, field)}</select>`;
  }
  if (range) {
    const [min, max] = range;
    const hasDefault = field.default !== undefined && !defaultIsUnset;
    const value = hasDefault ? Number(field.default) : undefined;
    return `<input${
      attributes({
        type: "number",
        ...own,
        min,
        max,
        value,
        required: hasDefault,
      })
    }>`;
  }
  const text = {
    ...own,
    maxlength: maxLength,
    autocapitalize: "off",
    spellcheck: "false",
  };
  return maxLength! > MAX_LINE
    ? `<textarea${attributes({ ...text, rows: 3 })}></textarea>`
    : `<input${attributes({ type: "text", ...text })}>`;
}

/** A field with its label, and its help, which errors replace. */
function field(kind: string, [name, field]: [string, Field<unknown>]): string {
  const id = `${kind}-${name}`;
  const { ignoredIf, type, help } = field;
  const label = `<span data-text="${name}"></span>`;
  const control = input(id, name, field);
  return `<div${
    attributes({
      class: "field",
      "data-field": name,
      "data-replaced": (REPLACED as readonly string[]).includes(name),
      "data-ignored-if": ignoredIf && JSON.stringify(ignoredIf.values),
    })
  }><label${attributes({ class: type })}>${
    type === "boolean" ? control + label : label + control
  }</label><p${
    attributes({ id: `${id}-note`, "data-help": help && `help.${name}` })
  }></p></div>`;
}

/**
 * Makes the form of an endpoint. Its script moves the fields that the purpose needs
 * in front of the others.
 */
function form({ type, fields }: Endpoint): string {
  const all = Object.entries(fields).filter(([, { label }]) => label)
    .map((entry) => field(type, entry));
  return `<form name="${type}" data-kind="${type}" autocomplete="off" novalidate hidden>
<div class="first grid"></div>
<details><summary data-text="more"></summary><div class="more grid">${
    all.join("\n")
  }</div></details></form>`;
}

/**
 * Makes the forms.
 *
 * @returns the HTML
 */
export function forms(): string {
  return Object.values(API).map(form).join("\n");
}
