import type { Random } from "./random";

/** A person's name, and how an e-mail address spells it. */
export interface PersonName {
  fullName: string;
  localPart: string;
}

/** After a slash: how a name that is not in Latin letters is spelt in an address. */
interface Naming {
  weight: number;
  given: readonly string[];
  family: readonly string[];
  isFamilyFirst?: boolean;
}

const namings: readonly Naming[] = [
  {
    weight: 6,
    given: ["Anna", "Björn", "Jürgen", "Käthe", "Lukas", "Mareike", "Sönke", "Theresa"],
    family: ["Behrens", "Großmann", "Hansen", "Krüger", "Lüders", "Petersen", "Schäfer", "Weiß"],
  },
  {
    weight: 4,
    given: ["Amélie", "Benoît", "Céline", "François", "Hélène", "Jérôme", "Margaux", "Théo"],
    family: ["Bernard", "Chevalier", "Dubois", "Fontaine", "Lefèvre", "Mercier", "Noël", "Rousseau"],
  },
  {
    weight: 4,
    given: ["Agnieszka", "Bartłomiej", "Elżbieta", "Jakub", "Łukasz", "Małgorzata", "Paweł", "Zofia"],
    family: ["Dąbrowska", "Kowalczyk", "Lewandowski", "Nowak", "Szymański", "Wiśniewska", "Wójcik", "Zając"],
  },
  {
    weight: 3,
    given: ["Astrid", "Håkon", "Ingrid", "Jørgen", "Linnéa", "Mårten", "Sigrún", "Øystein"],
    family: ["Ågren", "Bjørnstad", "Dahl", "Lindqvist", "Nygård", "Sørensen", "Þórsdóttir", "Västerlund"],
  },
  {
    weight: 5,
    given: ["Aisha", "Caroline", "Daniel", "Grace", "Marcus", "Rebecca", "Siobhán", "William"],
    family: ["Abbott", "Carver", "Fletcher", "Hughes", "McAllister", "O’Brien", "Okafor", "Whitfield"],
  },
  {
    weight: 4,
    given: ["Adrián", "Begoña", "Camila", "Íñigo", "Joaquín", "Lucía", "Ramón", "Ximena"],
    family: ["Álvarez", "Castañeda", "Gutiérrez", "Ibáñez", "Muñoz", "Núñez", "Peña", "Zúñiga"],
  },
  {
    weight: 3,
    given: ["Beatriz", "Conceição", "Gonçalo", "Inês", "João", "Luís", "Mariana", "Tomás"],
    family: ["Araújo", "Brandão", "Conceição", "Gonçalves", "Magalhães", "Ribeiro", "Simões", "Tavares"],
  },
  {
    weight: 2,
    given: ["Çağla", "Deniz", "Emre", "Gülşen", "İbrahim", "Özgür", "Şebnem", "Yiğit"],
    family: ["Aydın", "Çelik", "Doğan", "Güneş", "Kılıç", "Öztürk", "Şahin", "Yıldız"],
  },
  {
    weight: 3,
    given: ["Aarav", "Divya", "Farhan", "Kavita", "Nikhil", "Priya", "Rohan", "Sunita"],
    family: ["Banerjee", "Chatterjee", "Iyer", "Kulkarni", "Menon", "Nair", "Patel", "Venkataraman"],
  },
  {
    weight: 2,
    given: ["Ελένη/eleni", "Γιώργος/giorgos", "Κατερίνα/katerina", "Νίκος/nikos"],
    family: ["Δημητρίου/dimitriou", "Νικολάου/nikolaou", "Οικονόμου/oikonomou", "Παππάς/pappas"],
  },
  {
    weight: 2,
    given: ["Андрій/andrii", "Ірина/iryna", "Оксана/oksana", "Тарас/taras"],
    family: ["Бондаренко/bondarenko", "Коваленко/kovalenko", "Мельник/melnyk", "Шевченко/shevchenko"],
  },
  {
    weight: 3,
    given: ["健太/kenta", "直樹/naoki", "美咲/misaki", "陽子/yoko"],
    family: ["佐藤/sato", "田中/tanaka", "高橋/takahashi", "渡辺/watanabe"],
    isFamilyFirst: true,
  },
  {
    weight: 3,
    given: ["芳/fang", "建国/jianguo", "丽华/lihua", "志强/zhiqiang"],
    family: ["陈/chen", "李/li", "王/wang", "张/zhang"],
    isFamilyFirst: true,
  },
];

const spelling: Record<string, string> = { ß: "ss", ł: "l", ø: "o", þ: "th", ı: "i" };

/** Makes up a person's name. Names come twice, as they do in life. */
export function inventName(random: Random): PersonName {
  const naming = random.pickWeighted(namings);
  const given = readName(random.pick(naming.given));
  const family = readName(random.pick(naming.family));
  return {
    fullName: naming.isFamilyFirst ? `${family.shown} ${given.shown}` : `${given.shown} ${family.shown}`,
    localPart: `${given.spelt}.${family.spelt}`,
  };
}

function readName(entry: string): { shown: string; spelt: string } {
  const [shown = "", spelt = shown] = entry.split("/");
  return { shown, spelt: spellInLatin(spelt) };
}

/** Marks are dropped after taking letters apart; a few letters have none to drop. */
function spellInLatin(name: string): string {
  return name
    .normalize("NFD")
    .toLowerCase()
    .replace(/[ßłøþı]/g, (letter) => spelling[letter] ?? "")
    .replace(/[^a-z]/g, "");
}
