import { cereals } from '../../../catalogue/resources/details/food-codes.ts'
import type { PageLanguage } from '../messages.ts'
import type { FoodMessages } from './food-text-shape.ts'
import { corrections, khorasan, ownWords } from './own-words.ts'
import { packageWords } from './package-words.ts'

/** Texts in the order of the regulation, of the diets, and of the other texts. The word for tree nuts must not include peanuts. */
type Words = readonly [allergens: string, diets: string, others: string]

const words: Readonly<Record<PageLanguage, Words>> = {
  en: [
    'gluten|crustaceans|eggs|fish|peanuts|soybeans|milk|tree nuts|celery|mustard|sesame|sulphites|lupin|molluscs',
    'vegan|vegetarian|halal|kosher|gluten-free|lactose-free',
    'Contains: {list}|May contain: {list}|No allergens|Allergens not stated|Allergens and diets|without {name}|Show everything|Allergen sheet|from {age} years|Nothing on this menu suits your selection|Choices may add allergens|Order it with: {list}|Order it without: {list}|Dishes that suit: {count}|from {price}|Choices|As of {date}',
  ],
  de: [
    'Gluten|Krebstiere|Eier|Fisch|Erdnüsse|Soja|Milch|Schalenfrüchte|Sellerie|Senf|Sesam|Sulfite|Lupinen|Weichtiere',
    'vegan|vegetarisch|halal|koscher|glutenfrei|laktosefrei',
    'Enthält: {list}|Kann enthalten: {list}|Keine Allergene|Allergene nicht angegeben|Allergene und Ernährung|ohne {name}|Alles zeigen|Allergenübersicht|ab {age} Jahren|Auf dieser Karte passt nichts zu Ihrer Auswahl|Je nach Auswahl können Allergene hinzukommen|Bitte bestellen mit: {list}|Bitte bestellen ohne: {list}|Passende Gerichte: {count}|ab {price}|Auswahl|Stand: {date}',
  ],
  fr: [
    'gluten|crustacés|œufs|poisson|arachides|soja|lait|fruits à coque|céleri|moutarde|sésame|sulfites|lupin|mollusques',
    'végan|végétarien|halal|casher|sans gluten|sans lactose',
    'Contient : {list}|Peut contenir : {list}|Sans allergènes|Allergènes non précisés|Allergènes et régimes|sans : {name}|Tout afficher|Tableau des allergènes|à partir de {age} ans|Rien sur cette carte ne correspond à votre sélection|Les options choisies peuvent ajouter des allergènes|Demandez avec : {list}|Demandez sans : {list}|Plats adaptés : {count}|à partir de {price}|Choix|Mise à jour : {date}',
  ],
  es: [
    'gluten|crustáceos|huevos|pescado|cacahuetes|soja|leche|frutos de cáscara|apio|mostaza|sésamo|sulfitos|altramuces|moluscos',
    'vegano|vegetariano|halal|kosher|sin gluten|sin lactosa',
    'Contiene: {list}|Puede contener: {list}|Sin alérgenos|Alérgenos no indicados|Alérgenos y dietas|sin {name}|Mostrar todo|Tabla de alérgenos|a partir de {age} años|Nada de esta carta corresponde a su selección|Las opciones elegidas pueden añadir alérgenos|Pídalo con: {list}|Pídalo sin: {list}|Platos adecuados: {count}|desde {price}|Opciones|Actualizado: {date}',
  ],
  it: [
    'glutine|crostacei|uova|pesce|arachidi|soia|latte|frutta a guscio|sedano|senape|sesamo|solfiti|lupini|molluschi',
    'vegano|vegetariano|halal|kosher|senza glutine|senza lattosio',
    'Contiene: {list}|Può contenere: {list}|Nessun allergene|Allergeni non indicati|Allergeni e diete|senza: {name}|Mostra tutto|Tabella degli allergeni|da {age} anni|Niente in questo menu corrisponde alla selezione|Le opzioni scelte possono aggiungere allergeni|Da ordinare con: {list}|Da ordinare senza: {list}|Piatti adatti: {count}|da {price}|Scelte|Aggiornato: {date}',
  ],
  pt: [
    'glúten|crustáceos|ovos|peixe|amendoins|soja|leite|frutos de casca rija|aipo|mostarda|sésamo|sulfitos|tremoço|moluscos',
    'vegano|vegetariano|halal|kosher|sem glúten|sem lactose',
    'Contém: {list}|Pode conter: {list}|Sem alergénios|Alergénios não indicados|Alergénios e dietas|sem {name}|Mostrar tudo|Tabela de alergénios|a partir de {age} anos|Nada neste menu corresponde à sua seleção|As opções escolhidas podem acrescentar alergénios|Peça com: {list}|Peça sem: {list}|Pratos adequados: {count}|desde {price}|Opções|Atualizado: {date}',
  ],
  nl: [
    'gluten|schaaldieren|eieren|vis|pinda’s|soja|melk|noten|selderij|mosterd|sesam|sulfiet|lupine|weekdieren',
    'veganistisch|vegetarisch|halal|koosjer|glutenvrij|lactosevrij',
    'Bevat: {list}|Kan bevatten: {list}|Geen allergenen|Allergenen niet vermeld|Allergenen en diëten|zonder {name}|Alles tonen|Allergenenoverzicht|vanaf {age} jaar|Niets op deze kaart past bij uw keuze|Gekozen opties kunnen allergenen toevoegen|Bestel met: {list}|Bestel zonder: {list}|Passende gerechten: {count}|vanaf {price}|Keuzes|Bijgewerkt: {date}',
  ],
  pl: [
    'gluten|skorupiaki|jaja|ryby|orzeszki ziemne|soja|mleko|orzechy|seler|gorczyca|sezam|siarczyny|łubin|mięczaki',
    'wegańskie|wegetariańskie|halal|koszerne|bez glutenu|bez laktozy',
    'Zawiera: {list}|Może zawierać: {list}|Bez alergenów|Nie podano alergenów|Alergeny i diety|bez: {name}|Pokaż wszystko|Tabela alergenów|od {age} lat|Nic w tym menu nie pasuje do wybranych filtrów|Wybrane opcje mogą zawierać dodatkowe alergeny|Zamów z opcją: {list}|Zamów bez opcji: {list}|Pasujące dania: {count}|od {price}|Opcje|Stan na: {date}',
  ],
  cs: [
    'lepek|korýši|vejce|ryby|arašídy|sója|mléko|skořápkové plody|celer|hořčice|sezam|siřičitany|vlčí bob|měkkýši',
    'veganské|vegetariánské|halal|košer|bezlepkové|bezlaktózové',
    'Obsahuje: {list}|Může obsahovat: {list}|Bez alergenů|Alergeny neuvedeny|Alergeny a diety|bez: {name}|Zobrazit vše|Přehled alergenů|od {age} let|Nic z tohoto jídelního lístku neodpovídá vašemu výběru|Zvolené možnosti mohou obsahovat další alergeny|Objednejte s volbou: {list}|Objednejte bez volby: {list}|Vhodná jídla: {count}|od {price}|Volby|Stav k: {date}',
  ],
  da: [
    'gluten|krebsdyr|æg|fisk|jordnødder|soja|mælk|trænødder|selleri|sennep|sesam|sulfitter|lupin|bløddyr',
    'vegansk|vegetarisk|halal|kosher|glutenfri|laktosefri',
    'Indeholder: {list}|Kan indeholde: {list}|Ingen allergener|Allergener ikke oplyst|Allergener og kost|uden {name}|Vis alt|Allergenoversigt|fra {age} år|Intet på dette menukort passer til dit valg|Valgmuligheder kan tilføje allergener|Bestil med: {list}|Bestil uden: {list}|Egnede retter: {count}|fra {price}|Valgmuligheder|Opdateret: {date}',
  ],
  sv: [
    'gluten|kräftdjur|ägg|fisk|jordnötter|soja|mjölk|trädnötter|selleri|senap|sesam|sulfiter|lupin|blötdjur',
    'vegansk|vegetarisk|halal|kosher|glutenfri|laktosfri',
    'Innehåller: {list}|Kan innehålla: {list}|Inga allergener|Allergener ej angivna|Allergener och kost|utan {name}|Visa allt|Allergenöversikt|från {age} år|Inget på den här menyn passar ditt val|Valda tillval kan tillföra allergener|Beställ med: {list}|Beställ utan: {list}|Passande rätter: {count}|från {price}|Val|Uppdaterad: {date}',
  ],
  fi: [
    'gluteeni|äyriäiset|kananmuna|kala|maapähkinä|soija|maito|pähkinät|selleri|sinappi|seesami|sulfiitit|lupiini|nilviäiset',
    'vegaaninen|kasvis|halal|kosher|gluteeniton|laktoositon',
    'Sisältää: {list}|Saattaa sisältää: {list}|Ei allergeeneja|Allergeeneja ei ilmoitettu|Allergeenit ja ruokavaliot|ei sisällä: {name}|Näytä kaikki|Allergeenitaulukko|ikäraja {age}|Mikään tällä ruokalistalla ei vastaa valintaasi|Valinnat voivat lisätä allergeeneja|Tilaa valinnalla: {list}|Tilaa ilman valintaa: {list}|Sopivia annoksia: {count}|alkaen {price}|Valinnat|Päivitetty: {date}',
  ],
  hu: [
    'glutén|rákfélék|tojás|hal|földimogyoró|szója|tej|diófélék|zeller|mustár|szezám|szulfitok|csillagfürt|puhatestűek',
    'vegán|vegetáriánus|halal|kóser|gluténmentes|laktózmentes',
    'Tartalmaz: {list}|Tartalmazhat: {list}|Nincs allergén|Allergének nincsenek megadva|Allergének és étrendek|nincs benne: {name}|Minden mutatása|Allergéntáblázat|{age} éves kortól|Ezen az étlapon semmi sem felel meg a választásának|A választott opciók további allergéneket tartalmazhatnak|Ezzel kérje: {list}|Enélkül kérje: {list}|Megfelelő ételek: {count}|ettől: {price}|Választék|Állapot: {date}',
  ],
  el: [
    'γλουτένη|καρκινοειδή|αυγά|ψάρι|αράπικα φιστίκια|σόγια|γάλα|καρποί με κέλυφος|σέλινο|μουστάρδα|σουσάμι|θειώδη|λούπινα|μαλάκια',
    'βίγκαν|χορτοφαγικό|χαλάλ|κόσερ|χωρίς γλουτένη|χωρίς λακτόζη',
    'Περιέχει: {list}|Μπορεί να περιέχει: {list}|Χωρίς αλλεργιογόνα|Δεν αναφέρονται αλλεργιογόνα|Αλλεργιογόνα και δίαιτες|χωρίς: {name}|Εμφάνιση όλων|Πίνακας αλλεργιογόνων|από {age} ετών|Τίποτα σε αυτό το μενού δεν ταιριάζει με την επιλογή σας|Οι επιλογές μπορεί να προσθέσουν αλλεργιογόνα|Παραγγείλτε με: {list}|Παραγγείλτε χωρίς: {list}|Κατάλληλα πιάτα: {count}|από {price}|Επιλογές|Ενημέρωση: {date}',
  ],
  tr: [
    'gluten|kabuklular|yumurta|balık|yer fıstığı|soya|süt|sert kabuklu yemişler|kereviz|hardal|susam|sülfitler|acı bakla|yumuşakçalar',
    'vegan|vejetaryen|helal|koşer|glutensiz|laktozsuz',
    'İçerir: {list}|İçerebilir: {list}|Alerjen yok|Alerjenler belirtilmemiş|Alerjenler ve diyetler|içermez: {name}|Tümünü göster|Alerjen tablosu|{age} yaşından itibaren|Bu menüde seçiminize uyan bir şey yok|Seçimler alerjen ekleyebilir|Şu seçimle isteyin: {list}|Şu seçim olmadan isteyin: {list}|Uygun yemekler: {count}|en az {price}|Seçenekler|Güncelleme: {date}',
  ],
  ru: [
    'глютен|ракообразные|яйца|рыба|арахис|соя|молоко|орехи|сельдерей|горчица|кунжут|сульфиты|люпин|моллюски',
    'веганское|вегетарианское|халяль|кошерное|без глютена|без лактозы',
    'Содержит: {list}|Может содержать: {list}|Без аллергенов|Аллергены не указаны|Аллергены и диеты|не содержит: {name}|Показать всё|Таблица аллергенов|с {age} лет|В этом меню ничего не подходит под ваш выбор|Выбранные опции могут добавить аллергены|Закажите с вариантом: {list}|Закажите без варианта: {list}|Подходящие блюда: {count}|от {price}|Варианты|По состоянию на: {date}',
  ],
  uk: [
    'глютен|ракоподібні|яйця|риба|арахіс|соя|молоко|горіхи|селера|гірчиця|кунжут|сульфіти|люпин|молюски',
    'веганське|вегетаріанське|халяль|кошерне|без глютену|без лактози',
    'Містить: {list}|Може містити: {list}|Без алергенів|Алергени не зазначено|Алергени та дієти|не містить: {name}|Показати все|Таблиця алергенів|від {age} років|У цьому меню ніщо не відповідає вашому вибору|Вибрані опції можуть додати алергени|Замовте з варіантом: {list}|Замовте без варіанта: {list}|Відповідні страви: {count}|від {price}|Варіанти|Станом на: {date}',
  ],
  ar: [
    'الغلوتين|القشريات|البيض|السمك|الفول السوداني|الصويا|الحليب|المكسرات الشجرية|الكرفس|الخردل|السمسم|الكبريتيت|الترمس|الرخويات',
    'نباتي صرف|نباتي|حلال|كوشر|خالٍ من الغلوتين|خالٍ من اللاكتوز',
    'يحتوي على: {list}|قد يحتوي على: {list}|بلا مسببات حساسية|مسببات الحساسية غير مذكورة|مسببات الحساسية والأنظمة الغذائية|بدون {name}|عرض الكل|جدول مسببات الحساسية|من عمر {age}|لا شيء في هذه القائمة يناسب اختيارك|قد تضيف الخيارات مسببات حساسية|اطلبه مع: {list}|اطلبه بدون: {list}|الأطباق المناسبة: {count}|ابتداءً من {price}|الخيارات|بتاريخ: {date}',
  ],
  he: [
    'גלוטן|סרטנים|ביצים|דגים|בוטנים|סויה|חלב|אגוזים|סלרי|חרדל|שומשום|סולפיטים|תורמוס|רכיכות',
    'טבעוני|צמחוני|חלאל|כשר|ללא גלוטן|ללא לקטוז',
    'מכיל: {list}|עלול להכיל: {list}|ללא אלרגנים|אלרגנים לא צוינו|אלרגנים ותזונה|ללא {name}|הצגת הכול|טבלת אלרגנים|מגיל {age}|שום דבר בתפריט הזה לא מתאים לבחירה שלכם|תוספות ובחירות עשויות להוסיף אלרגנים|להזמין עם: {list}|להזמין בלי: {list}|מנות מתאימות: {count}|החל מ־{price}|אפשרויות|נכון ל־{date}',
  ],
  th: [
    'กลูเตน|สัตว์น้ำเปลือกแข็ง|ไข่|ปลา|ถั่วลิสง|ถั่วเหลือง|นม|ถั่วเปลือกแข็ง|ขึ้นฉ่าย|มัสตาร์ด|งา|ซัลไฟต์|ลูพิน|หอยและหมึก',
    'วีแกน|มังสวิรัติ|ฮาลาล|โคเชอร์|ไม่มีกลูเตน|ไม่มีแลคโตส',
    'มีส่วนประกอบ: {list}|อาจมี: {list}|ไม่มีสารก่อภูมิแพ้|ไม่ได้ระบุสารก่อภูมิแพ้|สารก่อภูมิแพ้และอาหาร|ไม่มี {name}|แสดงทั้งหมด|ตารางสารก่อภูมิแพ้|อายุ {age} ปีขึ้นไป|ไม่มีรายการในเมนูนี้ที่ตรงกับตัวเลือกของคุณ|ตัวเลือกที่เลือกอาจเพิ่มสารก่อภูมิแพ้|สั่งพร้อม: {list}|สั่งโดยไม่ใส่: {list}|เมนูที่เหมาะสม: {count}|เริ่มต้น {price}|ตัวเลือก|ข้อมูล ณ วันที่ {date}',
  ],
  ja: [
    'グルテン|甲殻類|卵|魚|落花生|大豆|乳|木の実類|セロリ|マスタード|ごま|亜硫酸塩|ルピナス|軟体動物',
    'ヴィーガン|ベジタリアン|ハラール|コーシャ|グルテンフリー|乳糖不使用',
    '含む：{list}|含む可能性：{list}|アレルゲンなし|アレルゲン表示なし|アレルゲンと食事制限|{name}なし|すべて表示|アレルゲン一覧|{age}歳以上|このメニューには条件に合うものがありません|選択内容によってアレルゲンが加わることがあります|次を選んで注文：{list}|次を除いて注文：{list}|該当する料理：{count}|{price}から|選択肢|{date}現在',
  ],
  ko: [
    '글루텐|갑각류|달걀|생선|땅콩|대두|우유|견과류|셀러리|겨자|참깨|아황산염|루핀|연체동물',
    '비건|채식|할랄|코셔|글루텐 프리|락토스 프리',
    '포함: {list}|포함 가능: {list}|알레르기 유발 성분 없음|알레르기 성분 미표시|알레르기 성분과 식단|{name} 제외|모두 보기|알레르기 성분표|{age}세 이상|이 메뉴에는 선택하신 조건에 맞는 항목이 없습니다|선택에 따라 알레르기 유발 성분이 추가될 수 있습니다|다음을 선택해 주문: {list}|다음을 빼고 주문: {list}|해당 요리: {count}|{price}부터|선택 사항|{date} 기준',
  ],
  'zh-Hans': [
    '麸质|甲壳类|蛋类|鱼类|花生|大豆|乳制品|坚果|芹菜|芥末|芝麻|亚硫酸盐|羽扇豆|软体动物',
    '纯素|素食|清真|犹太洁食|无麸质|无乳糖',
    '含有：{list}|可能含有：{list}|不含过敏原|未标明过敏原|过敏原与饮食|不含{name}|显示全部|过敏原一览表|{age}岁以上|此菜单中没有符合您选择的项目|所选选项可能增加过敏原|点餐时请选：{list}|点餐时请去掉：{list}|符合的菜品：{count}|{price}起|可选项|更新于{date}',
  ],
  'zh-Hant': [
    '麩質|甲殼類|蛋類|魚類|花生|大豆|乳製品|堅果|芹菜|芥末|芝麻|亞硫酸鹽|羽扇豆|軟體動物',
    '純素|素食|清真|猶太潔食|無麩質|無乳糖',
    '含有：{list}|可能含有：{list}|不含過敏原|未標明過敏原|過敏原與飲食|不含{name}|顯示全部|過敏原一覽表|{age}歲以上|此菜單中沒有符合您選擇的項目|所選選項可能增加過敏原|點餐時請選：{list}|點餐時請去掉：{list}|符合的菜品：{count}|{price}起|可選項目|更新於{date}',
  ],
}

/** The names of cereals and nuts, and of additives. Names stand inside of sentences, so they begin as they do there. */
function getNames(language: PageLanguage): [names: string[], additives: string[]] {
  const inSentence = (name: string) =>
    language === 'de' ? name : `${name.slice(0, 1).toLocaleLowerCase(language)}${name.slice(1)}`
  const [names = '', additives = ''] = packageWords[language] ?? ownWords[language] ?? []
  const correct = (word: string) => corrections[language]?.[word]
  return [
    names
      .split('|')
      .map((name) => correct(name) ?? inSentence(name))
      .with(cereals.indexOf('khorasan'), khorasan[language]),
    additives.split('|').map((text) => correct(text) ?? text),
  ]
}

/** The texts about food in each language. Only the build imports them: they are static assets, not part of the bundle. */
export function getFoodMessages(language: PageLanguage): FoodMessages {
  const [allergens, diets, others] = words[language].map((text) => text.split('|'))
  const [
    contains = '',
    mayContain = '',
    none = '',
    notStated = '',
    title = '',
    without = '',
    all = '',
    sheet = '',
    age = '',
    noMatch = '',
    choices = '',
    ask = '',
    leave = '',
    matches = '',
    from = '',
    choicesTitle = '',
    asOf = '',
  ] = others ?? []
  const [names, additives] = getNames(language)
  return {
    allergens: allergens ?? [],
    diets: diets ?? [],
    contains,
    mayContain,
    none,
    notStated,
    title,
    without,
    all,
    sheet,
    age,
    noMatch,
    choices,
    ...{ ask, leave, matches, from, choicesTitle, asOf, names, additives },
  }
}
