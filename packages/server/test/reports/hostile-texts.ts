/** A text that is meant to do harm, and what becomes of it in each kind of field. What is left out comes back as it was sent. */
export interface HostileText {
  text: string;
  /** In a name, which is trimmed and composed; null where it is refused. */
  line?: string | null;
  /** In a line that a program says: what cannot be shown is a space there, and nothing is refused. */
  said?: string;
  /** In a text of several lines that a program says: line ends are \n, what cannot be shown is U+FFFD. */
  paragraph?: string;
  /** In a log; null where it is refused. */
  log?: null;
}

const family = "👨‍👩‍👧‍👦";
const asSent = (texts: readonly string[]): HostileText[] => texts.map((text) => ({ text }));
/** Characters between two letters, which are refused in names. */
const between = (characters: readonly string[], paragraph?: string): HostileText[] =>
  characters.map((character) => ({
    text: `a${character}b`,
    line: null,
    said: "a b",
    ...(paragraph === undefined ? {} : { paragraph }),
  }));

/** Texts that a database may refuse, cut or mend. These come first: a default run tries only these on PostgreSQL. */
const hardToStore: HostileText[] = [
  { text: "a\u0000b", line: null, said: "a b", paragraph: "a\ufffdb", log: null },
  { text: "\u0000", line: null, said: "", paragraph: "\ufffd", log: null },
  { text: "\ud800", line: null, said: "\ufffd", paragraph: "\ufffd", log: null },
  { text: "a\udc00b", line: null, said: "a\ufffdb", paragraph: "a\ufffdb", log: null },
  { text: "\udc00\ud800", line: null, said: "\ufffd\ufffd", paragraph: "\ufffd\ufffd", log: null },
  ...asSent([
    "\uffff",
    "\u{10ffff}",
    "\ufffd",
    "\u2400",
    "\\",
    "\\u0000",
    "\\x00",
    "'; drop table tasks; --",
    "%",
    "_",
  ]),
  ...asSent([family.repeat(9), family.repeat(28), family.repeat(146), family.repeat(744)]),
  { text: "e\u0301", line: "é", said: "é" },
];

/** Texts that a page, a template or a document would take for markup. */
const markup = asSent([
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "<svg/onload=alert(1)>",
  "javascript:alert(1)",
  "</title></textarea><script>1</script>",
  "<iframe srcdoc='<script>1</script>'>",
  '<a href="data:text/html,x">y</a>',
  '<!--#exec cmd="id"-->',
  "<![CDATA[<x>]]>",
  ']]><!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>',
  "&lt;b&gt;&#x3c;&amp;",
  "<plaintext>",
  "'-alert(1)-'",
  "[x](javascript:alert(1))",
  "![x](http://x.test/x.png)",
  "$" + "{7*7}{{7*7}}<%=7*7%>#{7*7}",
  "{{constructor.constructor('return this')()}}",
]);

/** Texts that a spreadsheet would calculate, and what would break out of a cell. */
const formulas = asSent([
  "=cmd|' /C calc'!A0",
  "+1+1",
  "-2+3",
  "@SUM(A1:A9)",
  '=HYPERLINK("http://x.test","y")',
  '"a","b";c',
]);

/** Texts that would break out of JSON, of a query, of a path or of a shell, and names that every object has. */
const syntax = asSent([
  '"',
  '\\"',
  '","status":"completed',
  '"}]}',
  '","_links":{"self":{"href":"/tasks/x"}},"x":"',
  "\\ud800",
  "\\n",
  "__proto__",
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  "toString",
  "null",
  "-0",
  "1e309",
  '" or "1"="1',
  "$(id)`id`|id&",
  "../../etc/passwd",
  "%00%ff%0d%0aX: y",
  "%s%n",
  "\\\\x.test\\share",
]);

/** Texts that a terminal would obey. */
const terminal: HostileText[] = [
  { text: "\u001b[31mred\u001b[0m", line: null, said: "[31mred [0m", paragraph: "\ufffd[31mred\ufffd[0m" },
  { text: "\u001b]0;title\u0007", line: null, said: "]0;title", paragraph: "\ufffd]0;title\ufffd" },
  { text: "\u001b]52;c;aWQK\u0007x", line: null, said: "]52;c;aWQK x", paragraph: "\ufffd]52;c;aWQK\ufffdx" },
  { text: "\u001b[2J\u001b[H", line: null, said: "[2J [H", paragraph: "\ufffd[2J\ufffd[H" },
  { text: "\u001bP1;2q\u001b\\", line: null, said: "P1;2q \\", paragraph: "\ufffdP1;2q\ufffd\\" },
  { text: "\u009b31m", line: null, said: "31m", paragraph: "\ufffd31m" },
  { text: "ok\b\bno", line: null, said: "ok  no", paragraph: "ok\ufffd\ufffdno" },
  ...between(["\u0001", "\u0007", "\u000b", "\u000c", "\u001c", "\u007f", "\u0085"], "a\ufffdb"),
];

/** Line ends, which would break a header, an event or a line of a log. */
const lineEnds: HostileText[] = [
  ...between(["\n", "\t", "\u2028", "\u2029"]),
  { text: "a\rb", line: null, said: "a b", paragraph: "a\nb" },
  { text: "a\r\nb", line: null, said: "a  b", paragraph: "a\nb" },
  { text: "x\r\nSet-Cookie: a=b", line: null, said: "x  Set-Cookie: a=b", paragraph: "x\nSet-Cookie: a=b" },
  { text: "\r\n\r\n<html>", line: "<html>", said: "<html>", paragraph: "\n\n<html>" },
  { text: "x\n\ndata: y", line: null, said: "x  data: y" },
  { text: "x\n\nevent: end\ndata: {}\n\n", line: null, said: "x  event: end data: {}" },
  { text: "x\rdata: y\r\r", line: null, said: "x data: y", paragraph: "x\ndata: y\n\n" },
  { text: "x\r\n\r\nid: 0\r\nretry: 0", line: null, said: "x    id: 0  retry: 0", paragraph: "x\n\nid: 0\nretry: 0" },
  { text: "\n: y\n", line: ": y", said: ": y" },
  ...asSent(["data: x", "event: end", ": x", "retry: 1"]),
];

/** Texts that turn text around, what cannot be seen, and what only looks alike. */
const looks: HostileText[] = [
  ...between(["\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"]),
  ...between(["\u200e", "\u200f", "\u061c"]),
  { text: "\u202egnp.exe", line: null, said: "gnp.exe" },
  ...between(["\u200b", "\u200c", "\u200d", "\u2060", "\u00ad", "\ufeff", "\u3164", "\u115f", "\u180e", "\u034f"]),
  ...between(["\ufe0f", "\u{e0041}", "\u{e0100}"]),
  { text: "\ufeffx", line: "x", said: "x" },
  { text: "\u00a0 x \u3000", line: "x", said: "x" },
  { text: "", line: null },
  { text: " \t ", line: null, said: "" },
  { text: "\u1100\u1161\u11a8", line: "각", said: "각" },
  { text: "\u212b", line: "\u00c5", said: "\u00c5" },
  { text: `a${"\u0316".repeat(30)}` },
  { text: `a${"\u0316".repeat(31)}`, line: null, said: `a${"\u0316".repeat(30)}` },
  { text: `a${"\u0301\u0316".repeat(75)}`, line: null, said: `á${"\u0316".repeat(15)}${"\u0301".repeat(14)}` },
  ...asSent([family, "🏴‍☠️", "1\ufe0f⃣", "z\u0334\u0351", "İıſßΣς", "عربي עברית", "﷽", "pаypаl", "١٢٣"]),
];

/** Texts that fill a field to its last character, or are too long for it. */
const long = asSent([64, 65, 128, 200, 201, 255, 1024, 1025, 8192, 8193].map((length) => "x".repeat(length)));

export const hostileTexts: readonly HostileText[] = [
  ...hardToStore,
  ...markup,
  ...formulas,
  ...syntax,
  ...terminal,
  ...lineEnds,
  ...looks,
  ...long,
];

/** Number of texts for which the database can make a difference. */
export const countHardToStore: number = hardToStore.length;

/** Bytes within a JSON string that are no UTF-8: cut short, overlong, half of a pair, beyond the last character. */
export const hostileBytes: readonly (readonly number[])[] = [
  [0xff],
  [0x80],
  [0xc3],
  [0xc3, 0x28],
  [0xc0, 0xaf],
  [0xe0, 0x80, 0xaf],
  [0xe2, 0x82],
  [0xed, 0xa0, 0x80],
  [0xf0, 0x9f, 0x98],
  [0xf4, 0x90, 0x80, 0x80],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
  [0xfe, 0xff],
];
