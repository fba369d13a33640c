/**
 * The forms of the page: one for each endpoint, with an input for each of its
 * fields that has a label. `data-text` is the key of a text (languages.ts).
 *
 * @module
 */
import type { Endpoint } from "../../api/endpoint.ts";
import type { Field } from "../../api/fields.ts";
import { API } from "../../api/mod.ts";
import { escapeHtml } from "../html.ts";
import type { Field as PageField } from "./fields.js";
import { STEPPED } from "./form.js";
import { FIELD_TEXTS } from "./languages.ts";

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
        "data-text": `${name}.${value}`,
      })
    }></option>`
  ).join("");
}

/** An input that takes digits, with its range for a screen reader. */
function numberInput(
  { id, name }: { id: string; name: string },
  [min, max]: readonly [number, number],
  { default: value }: Field<unknown>,
): string {
  // A default of 0 is no number to begin with: it means that nothing is asked for.
  const hasDefault = Boolean(value);
  const input = `<input${
    attributes({
      type: "text",
      inputmode: "numeric",
      pattern: "[0-9]*",
      id,
      name,
      "aria-describedby": `${id}-range ${id}-note`,
      required: hasDefault,
    })
  }><span id="${id}-range" class="heard">${min}–${max}</span>`;
  if (!STEPPED.includes(name)) return input;
  const button = (step: number, key: string, sign: string) =>
    `<button type="button" id="${id}-${key}" class="sign" data-name="${name}" data-step="${step}" data-label="${name}.${key}">${sign}</button>`;
  return `<div class="stepper">${button(-1, "less", "−")}${input}${
    button(1, "more", "+")
  }</div>`;
}

/** The most characters of a text: a pasted list of signs has commas and spaces. */
const longest = (name: string, maxLength?: number) =>
  name === "specialCharacterSet" ? 3 * maxLength! : maxLength;

/** The input of a field. */
function input(id: string, name: string, field: Field<unknown>): string {
  const { type, range, values, maxLength } = field;
  const named = { id, name, "aria-describedby": `${id}-note` };
  if (type === "boolean") {
    return `<input${attributes({ type: "checkbox", ...named })}>`;
  }
  if (values) {
    return `<select${attributes(named)}>${options(name, field)}</select>`;
  }
  if (range) return numberInput(named, range, field);
  const text = {
    type: "text",
    ...named,
    maxlength: longest(name, maxLength),
    autocapitalize: "off",
    spellcheck: "false",
  };
  return `<input${attributes(text)}>`;
}

/** A field with its label, and its help, which errors replace. */
function field(
  kind: string,
  [name, field]: [string, Field<unknown>],
  order: number,
): string {
  const id = `${kind}-${name}`;
  const { type } = field;
  const control = input(id, name, field);
  const label = `<span data-text="${name}"></span>`;
  // A label around a button would press it.
  const labelled = type === "boolean"
    ? `<label class="boolean">${control}${label}</label>`
    : `<label for="${id}">${label}</label>${control}`;
  return `<div${
    attributes({
      id: `${id}-field`,
      class: "field",
      "data-order": order,
    })
  }>${labelled}<p id="${id}-note"></p></div>`;
}

/** The fields of an endpoint that are on the page. */
const onPage = ({ fields }: Endpoint) =>
  Object.entries(fields).filter(([name]) => FIELD_TEXTS[name]?.label);

/**
 * Makes the form of an endpoint. Its script moves the fields that the purpose needs
 * in front of the others.
 */
function form(endpoint: Endpoint): string {
  const { type } = endpoint;
  const inputs = onPage(endpoint).map((entry, i) => field(type, entry, i));
  return `<form id="form-${type}" autocomplete="off" novalidate hidden>
<div id="${type}-first" class="first grid"></div>
<details><summary data-text="more"></summary><div id="${type}-more" class="more grid">${
    inputs.join("\n")
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

/**
 * What the scripts know of the fields.
 *
 * @returns the declarations by endpoint and name
 */
export function declarations(): Record<string, Record<string, PageField>> {
  return Object.fromEntries(
    Object.values(API).map((endpoint) => [
      endpoint.type,
      Object.fromEntries(
        onPage(endpoint).map(([name, field]) => [name, {
          default: field.default,
          range: field.range,
          values: field.values,
          maxLength: longest(name, field.maxLength),
          ignoredIf: field.ignoredIf,
        }]),
      ),
    ]),
  );
}
