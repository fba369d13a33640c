import { assertEquals } from "@std/assert";
import { API } from "../../routes/api/mod.ts";
import { withDraws } from "../helpers/draws.ts";
import { seeded } from "../helpers/random.ts";

/** What version 1.2.0 makes of the same random numbers. */
const PASSWORDS: [body: Record<string, unknown>, password: string][] = [
  [{}, "[J!9RM}=|0<=Z0erI?~R"],
  [
    { specialCharacterSet: "-_.", excludeAmbiguous: true },
    "cc-9Xdyry6GrbmiERYzg",
  ],
  [
    { passwordRules: "required: lower; required: digit; max-repeating: 1" },
    "6v1jfdl9sram7enojnra",
  ],
];

Deno.test("requests of version 1.2.0 get the same characters from the same random numbers", () => {
  const next = seeded(1);
  const draws = Array.from({ length: 400 }, () => Math.floor(next() * 65_536));
  for (const [body, expected] of PASSWORDS) {
    const result = API["/api/pwgen/characters"]!.passwords(body);
    if (result.errors) throw new Error(JSON.stringify(body));
    assertEquals(withDraws(draws, result.generate), expected);
  }
});
