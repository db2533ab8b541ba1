import type { PageLanguage } from '../messages.ts'

type Words = readonly [names: string, additives: string]

/** Names of cereals and nuts, and of additives, in languages that the package lacks. */
export const ownWords: Readonly<Partial<Record<PageLanguage, Words>>> = {
  uk: [
    'пшениця|жито|ячмінь|овес|спельта|хорасан|мигдаль|фундук|волоські горіхи|кеш’ю|пекан|бразильські горіхи|фісташки|горіхи макадамія',
    'з барвником|з консервантом|з антиоксидантом|з нітритною сіллю|з нітратом|з нітритною сіллю та нітратом|з підсилювачем смаку|з фосфатом|оброблено сіркою|зачорнено|покрито воском|з підсолоджувачами|містить джерело фенілаланіну|надмірне вживання може мати проносну дію|містить кофеїн|містить хінін|може негативно впливати на активність і увагу дітей|з молочним білком|із сурімі|складено зі шматків м’яса|складено зі шматків риби|розморожено',
  ],
  th: [
    'ข้าวสาลี|ข้าวไรย์|ข้าวบาร์เลย์|ข้าวโอ๊ต|สเปลต์|โคราซัน|อัลมอนด์|เฮเซลนัต|วอลนัต|เม็ดมะม่วงหิมพานต์|พีแคน|บราซิลนัต|พิสตาชิโอ|แมคาเดเมีย',
    'ใส่สี|ใส่วัตถุกันเสีย|ใส่สารกันหืน|ใส่เกลือไนไตรต์|ใส่ไนเตรต|ใส่เกลือไนไตรต์และไนเตรต|ใส่สารเพิ่มรสชาติ|ใส่ฟอสเฟต|ผ่านการรมกำมะถัน|แต่งสีดำ|เคลือบไข|ใส่สารให้ความหวาน|มีแหล่งของฟีนิลอะลานีน|บริโภคมากเกินไปอาจมีฤทธิ์เป็นยาระบาย|มีคาเฟอีน|มีควินิน|อาจมีผลต่อกิจกรรมและสมาธิของเด็ก|มีโปรตีนนม|มีซูริมิ|ขึ้นรูปจากชิ้นเนื้อ|ขึ้นรูปจากชิ้นปลา|ผ่านการละลายน้ำแข็ง',
  ],
  'zh-Hant': [
    '小麥|黑麥|大麥|燕麥|斯佩爾特小麥|呼羅珊小麥|杏仁|榛果|核桃|腰果|美洲胡桃|巴西堅果|開心果|夏威夷豆',
    '含色素|含防腐劑|含抗氧化劑|含亞硝酸鹽醃製鹽|含硝酸鹽|含亞硝酸鹽醃製鹽及硝酸鹽|含增味劑|含磷酸鹽|經硫處理|已染黑|經打蠟處理|含甜味劑|含苯丙胺酸來源|過量食用可能導致腹瀉|含咖啡因|含奎寧|可能影響兒童的活動與注意力|含乳蛋白|含魚漿|由碎肉重組|由碎魚肉重組|已解凍',
  ],
}

/** Names of khorasan: the package has its trademark. */
export const khorasan: Readonly<Record<PageLanguage, string>> = {
  ...{ en: 'khorasan', de: 'Khorasan', fr: 'khorasan', es: 'jorasán', it: 'khorasan', pt: 'khorasan', nl: 'khorasan' },
  ...{ pl: 'khorasan', cs: 'chorasan', da: 'khorasan', sv: 'khorasan', fi: 'khorasan', hu: 'khorasan' },
  ...{ el: 'χορασάν', tr: 'horasan', ru: 'хорасан', uk: 'хорасан', ar: 'خراسان', he: 'חוראסן', th: 'โคราซัน' },
  ...{ ja: 'ホラーサン', ko: '호라산', 'zh-Hans': '呼罗珊', 'zh-Hant': '呼羅珊' },
}

/** Words of the package that guests would misread, and what replaces them. */
export const corrections: Readonly<Partial<Record<PageLanguage, Readonly<Record<string, string>>>>> = {
  en: {
    ...{ 'Cashew Nuts': 'cashew nuts', 'Pecan Nuts': 'pecan nuts' },
    ...{ 'Brazil Nuts': 'Brazil nuts', 'Macadamia Nuts': 'macadamia nuts' },
  },
  fr: { 'Noix de noix': 'noix' },
  tr: {
    // Also means peanuts.
    Fıstık: 'Antep fıstığı',
    ...{
      'Pekan Cevizi': 'pekan cevizi',
      'Brezilya Fındığı': 'Brezilya fındığı',
      'Makadamya Fındığı': 'makadamya fındığı',
    },
  },
  es: { Negro: 'Ennegrecido' },
  it: { Nero: 'Annerito', Cera: 'Cerato' },
  sv: { 'med nitritsaltmedelsalt': 'med nitritsalt' },
}
