/**
 * What is wrong: the message in the card, and the note of each field.
 *
 * @module
 */
import { addRegion, announce, byId, element, write } from "./dom.js";
import { noteOf } from "./form.js";
import { hasText, text } from "./language.js";
import { results } from "./requests.js";
import { currentForm, currentInputs } from "./settings.js";

/** The errors of inputs: those of the page, or else those of the API. */
function errorsOfInputs() {
  const { problem, wanted } = results;
  if (wanted.errors.length > 0) {
    return wanted.errors.map((error) => ({
      input: error.input,
      message: text(error.key, error),
    }));
  }
  if (problem?.request !== wanted) return [];
  const { errors = {}, limits = {} } = problem;
  return Object.entries(errors).map(([name, [message]]) => {
    const key = `error.${limits[name]?.reason ?? name}`;
    return {
      input: currentForm().elements.namedItem(name),
      // The API writes English.
      message: text(hasText(key) ? key : "error", limits[name]) || message,
    };
  });
}

/** One error, with a link to its input. */
function errorLine({ input, message }) {
  if (!input) return element("p", "", message);
  const [label] = input.labels;
  const link = element("a", "", label.textContent.trim().replace(/\.$/, ""));
  link.href = `#${input.id}`;
  link.addEventListener("click", (event) => {
    event.preventDefault(); // the address has the settings
    input.closest("details")?.setAttribute("open", "");
    input.focus();
  });
  return element("p", "", link, ": ", message);
}

/** The note of an input: what is wrong, why it has no effect, or what to know. */
function drawNote(input, error) {
  const note = byId(`${input.id}-note`);
  const help = input.disabled ? `why.${input.name}` : note.dataset.help;
  const about = noteOf(input);
  note.className = error ? "error" : "note";
  write(
    note,
    error ? `${error.message} ` : "",
    about ? `${text(about.key, about)} ` : "",
    help ? text(help) : "",
  );
  input.ariaInvalid = error ? "true" : null;
  if (error && input === document.activeElement) {
    note.scrollIntoView({ block: "nearest" });
  }
}

function drawMessage() {
  const { problem, progress } = results;
  const errors = errorsOfInputs();
  for (const input of currentInputs()) {
    drawNote(input, errors.find((each) => each.input === input));
  }
  const lines = errors.map(errorLine);
  if (problem && problem.error !== "fields") {
    lines.push(element("p", "", text(problem.error, problem)));
  }
  write(byId("message"), ...lines);
  const seconds = Math.ceil((problem?.retryAt - performance.now()) / 1000);
  write(
    byId("countdown"),
    (seconds > 0 ? text("countdown", { seconds }) : "") +
      (progress ? ` ${text("progress", progress)}` : ""),
  );
}

/** The start and the half of a long list, as far as they were said. */
let said = 0;

/** A screen reader hears the start and the half; the list itself is the end. */
function announceProgress() {
  const { progress, isBusy } = results;
  const { done, count } = progress ?? {};
  const reached = isBusy && progress ? 1 + Math.floor(2 * done / count) : 0;
  if (reached > said) announce(text("progress", progress));
  said = reached;
}

addRegion(drawMessage);
addRegion(announceProgress);
