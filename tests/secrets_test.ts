import { assert, assertEquals } from "@std/assert";
import { listening, spawn } from "./helpers/program.ts";

const KINDS = ["characters", "words", "sentence"];

Deno.test({
  name: "nothing generated stays in the heap of the process",
  // There is no SIGUSR2 on Windows.
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const folder = await Deno.makeTempDir();
    const file = `${folder}/heap.json`;
    {
      await using service = await listening(
        spawn(Deno.execPath(), [
          "run",
          "--allow-all",
          "--frozen",
          "--v8-flags=--expose-gc",
          "tests/helpers/snapshot.ts",
          file,
        ]),
      );
      let clients = 0;
      const ask = async (headers = {}): Promise<string> => {
        const kind = KINDS[clients % KINDS.length];
        const response = await fetch(`${service.url}/api/pwgen/${kind}`, {
          method: "POST",
          headers: {
            "content-type": "application/json",
            "x-forwarded-for": `10.0.${clients >> 8}.${clients++ & 255}`,
            ...headers,
          },
          // Long enough not to be there by chance; without å, ä and ö, which
          // a snapshot may write in more than one way.
          body:
            '{"length":24,"numberLength":6,"replaceSwedishCharacters":true}',
        });
        const { password } = await response.json();
        assert(password.length > 20);
        return password;
      };
      const passwords: string[] = [];
      for (let i = 0; i < 500; i++) {
        passwords.push(
          ...await Promise.all(Array.from({ length: 20 }, () => ask())),
        );
      }
      const held = await ask({ "x-hold": "1" });
      // Another one, so that the last are not those of the last request.
      await ask();
      service.process.kill("SIGUSR2");
      await service.stdout.match(/written/);

      const heap = await Deno.readTextFile(file);
      assert(heap.includes(held), "The search finds nothing at all");
      assertEquals(passwords.length, 10_000);
      const found = passwords.slice(-1000).filter((one) => heap.includes(one));
      assertEquals(found, []);
    }
    await Deno.remove(folder, { recursive: true });
  },
});
