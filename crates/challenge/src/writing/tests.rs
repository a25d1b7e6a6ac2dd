//! Sentences of SNLI's training data with the errors that readers found in them.

use super::*;
use crate::composition::analysis::parsed;
use acidtest_lingua::View;

fn found(text: &str) -> Option<Slip> {
    let view = View::plain(text);
    let words = Words::parsed(&view, parsed(&view).unwrap());
    first_slip(&words, text).map(|(slip, _)| slip)
}

#[track_caller]
fn check(slip: Slip, texts: &[&str]) {
    texts.iter().for_each(|text| assert_eq!(found(text), Some(slip), "{text}"));
}

#[test]
fn words_that_are_misspelt() {
    check(
        Slip::Misspelt,
        &[
            "A man thorws a ball to a dog.",
            "An older man plying a guitar in a band.",
            "A man in a suit looking down at a podium in a dinning restaurant.",
        ],
    );
}

#[test]
fn capitals_that_are_missing_and_those_that_are_too_many() {
    check(
        Slip::Capital,
        &[
            "The asian man in the blue hat is riding a bike.",
            "A girl is about to spike the ball in a volleyball game at the 2012 olympics.",
            "There are people watching tv and a man walking away in a suit.",
            "Two middle eastern men are playing a guitar.",
        ],
    );
    check(
        Slip::WrongCapital,
        &[
            "A man playing a Saxophone.",
            "A Little redheaded girl caught a fish.",
            "Postal Workers are collecting food.",
            "A cowboy is Roping a calf.",
        ],
    );
    for text in [
        "A man in a Yankees uniform holds a bat.",
        "A dog catches a Frisbee.",
        "An African American woman walks.",
        "A man reads in Central Park.",
    ] {
        assert_eq!(found(text), None, "{text}");
    }
}

#[test]
fn words_in_two_parts() {
    check(
        Slip::SplitWord,
        &[
            "A man cuts the grass along side a wall of hedges.",
            "The lady in the red apron is preparing food for the up coming festivities.",
            "Two people with on bicycles riding along while wearing helmets and shorts.",
        ],
    );
}

#[test]
fn marks_and_apostrophes() {
    check(
        Slip::Marks,
        &[
            "Three men are playing soccer- two of them are in blue.",
            "People in the shop are wearing hats& jackets.",
            "A man in a long coat,grey slacks and white shoes walks.",
        ],
    );
    check(
        Slip::Apostrophe,
        &[
            "A man in khaki's is building a structure from rocks.",
            "Rows of people watch a man and a woman on there knees.",
            "A man with a clowns nose is catching a pin.",
            "A woman is adjusting her daughters clothes.",
        ],
    );
}

#[test]
fn articles() {
    check(
        Slip::WrongArticle,
        &[
            "A older man pushes a cart.",
            "A man with a hiking equipment is tying his shoe in the woods.",
            "A man in a blue swimming gear is skiing.",
        ],
    );
    check(
        Slip::NoArticle,
        &[
            "Man in a car throws a ball to a dog.",
            "Group of people standing in front of a store.",
            "Bicyclist jumping a mountain bike over a hill.",
            "Large green lawn with a man and a building in the background.",
            "Two women are standing on the grass looking at bridge.",
            "A woman and a child holding on to the railing near street.",
            "A little boy wearing blue shorts and yellow shirt is pushing a stroller.",
            "A man wearing hat sits on a chair.",
            "A large man in blue shirt pausing to have his picture taken.",
            "Two youths, a goalie in black shirt and another boy in a striped shirt, are moving the ball.",
            "Customers examine the menu of street cafe.",
        ],
    );
    for text in [
        "A man in a red shirt and hat sits.",
        "A dog and cat play.",
        "A very large dog runs.",
        "A couple of guys play guitar on stage.",
        "A kind of dog sits between mother and child.",
        "A man rides from house to house.",
        "A smiling man waves.",
        "Two people travel by boat.",
        "A man plays accordion.",
        "A brown and white dog runs.",
        "People on a snow-covered hill.",
    ] {
        assert_eq!(found(text), None, "{text}");
    }
}

#[test]
fn nouns_of_another_number() {
    check(
        Slip::WrongNumber,
        &[
            "A men throws a ball.",
            "Two man throw a ball.",
            "A man sits among friends and a couple pints of beer.",
            "A man is using a tool that makes a lot sparks.",
            "A man and women are opening a box.",
        ],
    );
    assert_eq!(found("A couple of men drink a few beers."), None);
}

#[test]
fn verbs_that_lack_a_preposition_or_are_mistaken_for_another() {
    check(
        Slip::NoPreposition,
        &[
            "A dog is lying the grass near a man.",
            "A man wearing white walks passed a shuttered building.",
            "A man holding a bag is standing front of a cafe.",
        ],
    );
    check(
        Slip::VerbForm,
        &[
            "A man in tattered clothing is laying on the sidewalk.",
            "A child lays on his belly.",
            "Two women are laying down.",
            "A man is holding a microphone, while another person in the background playing the drums.",
            "A man is a colorful shirt is holding something in his hand.",
            "A man is holding a candle while he rest his forehead against a column.",
        ],
    );
    for text in [
        "A man is holding a child while a woman sings.",
        "There is a man who is holding a shirt that is blue.",
        "A man watches her eat.",
        "A man is laying bricks.",
        "Workers are laying down a carpet.",
        "A man lies on the grass.",
    ] {
        assert_eq!(found(text), None, "{text}");
    }
}

#[test]
fn verbs_that_do_not_agree() {
    check(
        Slip::Disagreement,
        &[
            "A man and a woman is standing near a pool.",
            "A man in a hat are riding a horse.",
            "A man who have a black hat on is in the street.",
            "A man and a woman stands next to a cake.",
            "A pair of sunglasses are lying on a table.",
            "A girl throws a ball while two other baseball players runs around.",
            "A young man that wearing glasses is playing the violin.",
            "The women is holding a baby.",
        ],
    );
    for text in [
        "A group of men in hats are riding horses.",
        "A group of children are playing while men are watching.",
        "A man with two dogs is sitting.",
        "Two men and a dog run.",
        "The man who owns dogs is here.",
    ] {
        assert_eq!(found(text), None, "{text}");
    }
}

#[test]
fn commas() {
    check(
        Slip::Comma,
        &[
            "Three men are playing music on a stage, one is on the piano.",
            "Two boys at play at a fun center, there are two women in the background laughing.",
            "A woman, standing in front of a statue is taking a picture.",
            "A man in a hat, is riding a horse.",
            "A man wearing a blue baseball cap, blue jeans, and a polo shirt, is standing in front of a grill.",
            "A player is standing at home plate, the catcher behind him has his hand up in the air.",
            "Ten people are sitting around a table playing a card game, a few are drinking beer.",
            "A woman with glasses sits on a sofa in front of a plant, with her feet propped on a stand, works on her laptop.",
        ],
    );
    for text in [
        "A man is playing a guitar, while a woman is singing.",
        "A woman, standing in front of a statue, is taking a picture.",
        "In a park, a man is riding a horse.",
        "As a dog runs, a man watches.",
        "A man plays a guitar, a drum, and a flute.",
    ] {
        assert_eq!(found(text), None, "{text}");
    }
}

#[test]
fn hyphens_between_an_adjective_and_its_noun() {
    check(Slip::SplitWord, &["A woman with red-hair looks at a man.", "A young woman with curly blond-hair is wearing a blue shirt."]);
    for text in ["A red-haired woman looks at a man.", "A man in a red-brick house is reading.", "A man in a t-shirt is reading."] {
        assert_eq!(found(text), None, "{text}");
    }
}

#[test]
fn real_words_that_are_hardly_meant() {
    check(
        Slip::Misspelt,
        &["A dog runs between threes in a park.", "A man is scrapping paint off a wall.", "A team od mules pulls a plow."],
    );
    check(
        Slip::SplitWord,
        &["A man sets in a boat in the water.", "A dog jumps on bed.", "A man wearing read shorts is sitting on a bench."],
    );
    for text in ["A man sits at a round table.", "A woman wears a long red skirt.", "Two men are eating a dessert.", "A lady holds an ax."]
    {
        assert_eq!(found(text), None, "{text}");
    }
}

#[test]
fn quotation_marks() {
    check(
        Slip::Marks,
        &[
            "A man on stage is wearing a hat that says' wasted'.",
            "A man holds a sign that reads\" open\".",
            "A man holds a sign that reads \"open.",
            "Two men are playing drums in the street to a crowd.d.",
        ],
    );
    for text in ["A man holds a sign that reads \"open\".", "A man holds the boys' ball.", "A man wears a hat that says 'wasted'."] {
        assert_eq!(found(text), None, "{text}");
    }
}

#[test]
fn numbers_of_nouns_behind_a_group_and_of_halves() {
    check(
        Slip::WrongNumber,
        &[
            "A group of woman stands near a bus.",
            "A man in a red shirt and gray slack is sitting on a bench.",
            "A man wearing a blue short is sitting on a bench.",
        ],
    );
    check(Slip::WrongArticle, &["A man and a woman sit on a green grass.", "A woman with a red hair is walking a dog."]);
    check(Slip::VerbForm, &["A man is using an electronically mixer."]);
    check(Slip::NoArticle, &["A man is driving a bike and second man is walking on the road."]);
    check(Slip::Apostrophe, &["A group of women with there small children."]);
    for text in ["A group of woman soldiers stands near a bus.", "A man jumps down a snowy hill.", "A dog runs through a grass field."] {
        assert_eq!(found(text), None, "{text}");
    }
}

#[test]
fn pronouns_that_stand_for_nobody() {
    check(
        Slip::Pronoun,
        &[
            "A woman in a red shirt carries flowers in a bucket on his shoulder.",
            "Women hold her bags in front of a store.",
            "The boys ride his skateboard up the wall.",
        ],
    );
    for text in [
        "A woman gives a man his hat.",
        "A climber is making his way up a mountain.",
        "Two men are walking on the street, and one has his umbrella open.",
        "A dog carries a ball in his mouth.",
        "He is riding his bike.",
    ] {
        assert_eq!(found(text), None, "{text}");
    }
}

#[test]
fn nouns_and_phrases_without_anything_between_them() {
    check(
        Slip::Comma,
        &["A man woman and three children are going for a walk.", "Two people a man and a woman are riding an elephant in a field."],
    );
    check(
        Slip::NoPreposition,
        &[
            "A man and in a black vest is dancing with a woman.",
            "A boy in playing with a ball.",
            "A man in an elderly woman is smiling.",
            "Women in children wait in line.",
        ],
    );
    check(Slip::VerbForm, &["A man plays his bagpipes in the city as walks around dressed in a kilt."]);
    check(Slip::Apostrophe, &["A man holds two boys hands.", "Many people dresses in blue are on a street."]);
    for text in ["A man and a woman in a black vest are dancing.", "A boy is interested in playing.", "A man gives people a show."] {
        assert_eq!(found(text), None, "{text}");
    }
}

#[test]
fn nouns_verbs_and_hyphens_that_are_missing() {
    check(
        Slip::Gap,
        &[
            "People are mingling in a fair where there booths with flags.",
            "A mother is smiling as her son and her are about to eat a meal.",
            "A man in a suit is reading a from a piece of paper.",
            "A man stands with his hands above his ahead before a group of children.",
            "Three workers are digging a whole next to a large wall.",
            "A man in a plaid is standing on a stage.",
            "A man is carrying a pole that blind people use to help they walk.",
        ],
    );
    check(
        Slip::Hyphen,
        &["A man is doing a one armed handstand.", "A man walks down a tree lined street.", "A three year old child sits on a bench."],
    );
    check(
        Slip::NoPreposition,
        &["A man in a bicycle throws his hands up.", "A boy with dark and a woman in a brown shirt are playing with a toy."],
    );
    check(
        Slip::Fragment,
        &["Looking down on a man and a woman in an indoor scene.", "The climbers saw the Mt.", "They moved from the sea to the."],
    );
    check(Slip::Capital, &["He won many awards and The prize for the best film."]);
    for text in [
        "A few of them are sitting.",
        "A man is doing a handstand with one arm.",
        "A group sits in a bike shop.",
        "Looking down is fun.",
        "He lives in The Hague.",
        "A man in black sits.",
        "A man with dark hair and a woman sit.",
        "Two armed guards stand at a door.",
    ] {
        assert_eq!(found(text), None, "{text}");
    }
}

#[test]
fn verbs_with_the_wrong_form_or_one_too_many() {
    check(
        Slip::VerbForm,
        &[
            "The woman in blue appears to blowing glass.",
            "A boy is run along a sidewalk.",
            "A girl stands beside a laying dog.",
            "A man wearing a white coat and had sitting on a bench.",
            "A man wearing glasses leans against a railing while holding a cup is looking down.",
            "Two women walk with purses walk down the street.",
        ],
    );
    check(Slip::Disagreement, &["A person on a bike get airborne.", "The big kid understand it."]);
    for text in [
        "A man is looking at a dog that is running.",
        "A boy is watching a dog run along a sidewalk.",
        "A man sits on a bench while a woman is reading.",
    ] {
        assert_eq!(found(text), None, "{text}");
    }
}

#[test]
fn sentences_that_run_on_and_brackets_that_stay_open() {
    check(Slip::Comma, &["We hated the restaurant, it was really cheap.", "Two men one riding a bike are in the street."]);
    check(Slip::Marks, &["The town has a wall (built in 1200.", "A man in a coat,grey hat and shoes walks."]);
    for text in ["It was cold, she said.", "When he left, it was dark.", "The town (built in 1200) has a wall."] {
        assert_eq!(found(text), None, "{text}");
    }
}

#[test]
fn nouns_without_an_article_after_adjectives_and_in_lists() {
    check(
        Slip::NoArticle,
        &[
            "Indoor scene of a woman in yellow.",
            "A man does a flip off of dock into the water.",
            "Two people dressed in animal costume are outside.",
            "A woman is watching the man in red T-shirt.",
            "A man wearing flannel shirt, plaid pants and a backpack is riding a bike.",
            "A man in blue tie plays a guitar.",
        ],
    );
    check(Slip::WrongNumber, &["An older women in a red top is reading.", "A person wearing a blue shirt and short outside."]);
    check(Slip::Apostrophe, &["Women are waiting in line to use the ladies room.", "A man with a conductors hat looks out of the window."]);
}

#[test]
fn zz_scratch() {
    let text = std::fs::read_to_string("/tmp/q/in.txt").unwrap();
    let mut out = Vec::new();
    for line in text.lines() {
        let view = View::plain(line);
        let mut found = "-\t".to_string();
        for sentence in &view.document().sentences {
            let words = Words::new(sentence.words.iter().map(|word| (word.form.as_str(), Some(word.tag))));
            let span = sentence.words[0].start..sentence.words.last().unwrap().end;
            if let Some((slip, at)) = first_slip_in(&words, &line[span], Text::Any) {
                found = format!("{slip:?}\t{} {} {}", words.before(at), words.form(at), words.form(at + 1));
                break;
            }
        }
        out.push(format!("{found}\t{line}"));
    }
    std::fs::write("/tmp/q/out.txt", out.join("\n")).unwrap();
}
