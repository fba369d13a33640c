import { assert, assertEquals } from "@std/assert";
import { post, readPasswords } from "../../helpers/service.ts";
import { outcome } from "../../oracle.ts";

const PATH = "/api/pwgen/characters";

/**
 * Published rules of different shapes, from
 * https://github.com/apple/password-manager-resources (quirks/password-rules.json).
 */
const PUBLISHED: Record<string, string> = {
  "ubisoft.com":
    "minlength: 8; maxlength: 16; required: lower; required: upper; required: digit; required: [-]; required: [!@#$%^&*()+];",
  "ebrap.org":
    "minlength: 15; required: lower; required: lower; required: upper; required: upper; required: digit; required: digit; required: [-!@#$%^&*()_+|~=`{}[:\";'?,./.]]; required: [-!@#$%^&*()_+|~=`{}[:\";'?,./.]];",
  "poste.it":
    "minlength: 8; maxlength: 16; max-consecutive: 2; required: lower; required: upper; required: digit; required: special;",
  "guardiananytime.com":
    "minlength: 8; maxlength: 50; max-consecutive: 2; required: lower; required: upper; required: digit, [-~!@#$%^&*_+=`|(){}[:;,.?]];",
  "aeon.co.jp":
    "minlength: 8; maxlength: 8; max-consecutive: 3; required: digit; required: upper,lower,[#$+./:=?@[^_|~]];",
  "amundi-ee.com":
    "minlength: 6; maxlength: 6; allowed: digit; max-consecutive: 3;",
  "vivo.com.br": "maxlength: 6; max-consecutive: 3; allowed: digit;",
  "dkb.de":
    "minlength: 8; maxlength: 38; required: lower, upper; required: digit; allowed: [-äüöÄÜÖß!$%&/()=?+#,.:];",
  "posteo.de":
    'minlength: 8; required: lower; required: upper; required: digit, [-~!#$%&_+=|(){}[:;"’<>,.? ]];',
  "unito.it":
    "minlength: 8; required: upper; required: lower; required: digit; required: [-!?+*/:;'\"{}()@£$%&=^#[]];",
  "carmax.com":
    "minlength: 8; maxlength: 64; required: upper,lower; required: digit; allowed: [@$!%*#?&^'_+=;:,.~/\\|{}()[\\]];",
  "walmart.com":
    "allowed: lower, upper, digit, [-(~!@#$%^&*_+=`|(){}[:;\"'<>,.?]];",
  "allianz.com.br": "minlength: 4; maxlength: 4;",
  "benjerry.com":
    "required: upper; required: upper; required: digit; required: digit; required: special; required: special; allowed: lower;",
  "savemart.com":
    "minlength: 8; maxlength: 12; required: digit; required: upper,lower; required: [!#$%&@]; allowed: ascii-printable;",
  "gamestop.com":
    "minlength: 8; maxlength: 225; required: lower; required: upper; required: digit; required: [!@#$%];",
  "robinhood.com": "minlength: 10;",
  "verizonwireless.com":
    "minlength: 8; maxlength: 20; required: lower, upper; required: digit; allowed: unicode;",
  "priceline.com":
    "required: upper; required: lower; required: digit; required: [!@#$%^&*()]; minlength: 12;",
};

Deno.test(`${PATH}: 100 passwords meet each of the published rules, and their number is exact`, async () => {
  for (const [site, passwordRules] of Object.entries(PUBLISHED)) {
    const { bits, permits } = outcome("characters", { passwordRules });
    const response = await post(PATH, { passwordRules, count: 100 });
    assertEquals(response.headers.get("entropy-bits"), bits, site);
    for (const password of await readPasswords(response, "characters")) {
      assert(permits(password), `${site}: ${password}`);
    }
  }
});
