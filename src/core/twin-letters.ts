/** Letters of other scripts, each before the Latin one that it looks like in most fonts. */
export const TWINS =
  'аa вb еe кk мm нh оo рp сc тt уy хx іi јj ѕs ԁd ԛq ԝw һh ӏl ѵv ' +
  'АA ВB ЕE КK МM НH ОO РP СC ТT УY ХX ІI ЈJ ЅS ԌG ԚQ ԜW ҺH ӀI ѴV ' +
  'αa βb εe ηn κk νv οo ρp τt υu χx γy ' +
  'ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ' +
  'ıi ɑa ɡg օo ցg հh սu ' +
  "‐- ‑- ‒- –- —- −- ﹣- ‘' ’' ‚' ´' `' ʼ' ′' “\" ”\" „\" «\" »\" ″\" ․. ‧. ·. ∙. ⁄/ ∕/ ꞉:";
