"""Questions with two English claims: does the later overtake the earlier one, or not."""

OVERTAKEN = [
    # counts and running totals
    (
        "How many plants do I have on my balcony?",
        "My balcony is getting crowded, I have 12 plants out there.",
        "I bought two more ferns, so I now have 14 plants on the balcony.",
    ),
    (
        "How many marathons have I run so far?",
        "I've run three marathons so far.",
        "I have now run four marathons, the last one in the rain.",
    ),
    (
        "How many puzzles have I finished?",
        "I love puzzles. I've finished five of them since January.",
        "By the way, I've finished 7 puzzles already.",
    ),
    (
        "How many lessons of the French course have I completed?",
        "I've completed 10 lessons of the French course.",
        "I'm on lesson 15 of the French course.",
    ),
    (
        "What page of Dune am I on?",
        "I'm on page 120 of Dune.",
        "Still reading Dune, now on page 310.",
    ),
    (
        "How many times have I visited Lisbon?",
        "I've been to Lisbon twice, a lovely place to visit.",
        "I just came back from Lisbon, I've visited it three times now.",
    ),
    (
        "How many people are on the support team?",
        "There are six people on the support team.",
        "We hired again: the support team has eight people.",
    ),
    # durations, amounts, money
    (
        "How long have I been learning the guitar?",
        "I've been learning the guitar for three months.",
        "I've been learning guitar for a year now.",
    ),
    (
        "How long does my commute to the office take?",
        "My commute to the office takes 40 minutes.",
        "Since the new metro line opened my commute to the office takes only 25 minutes.",
    ),
    (
        "How much weight have I lost?",
        "I've lost 4 kg since January.",
        "Good news, I have lost 7 kg of weight.",
    ),
    ("How far is my daily run?", "My daily run is 5 km.", "My daily run is now 8 km."),
    (
        "How much is the rent for the warehouse?",
        "The rent for the warehouse is 2,000 EUR a month.",
        "From May the warehouse rent goes up to 2,300 EUR a month.",
    ),
    ("What is the project budget?", "The project budget is $25,000.", "Make that $75,000."),
    (
        "What's the discount for the Acme deal?",
        "The discount for the Acme deal is 10%.",
        "They pushed back, so the discount for the Acme deal is 15%.",
    ),
    ("How old is my nephew Leo?", "My nephew Leo is 4 years old.", "My nephew Leo just turned 5."),
    (
        "What is our record in the chess league?",
        "Our record in the chess league is 3-2.",
        "Our chess league record is 5-2.",
    ),
    # how often and when
    (
        "How often do I see my physiotherapist?",
        "I see my physiotherapist every two weeks.",
        "I see my physiotherapist every week now.",
    ),
    (
        "How often do I play tennis with Mark?",
        "I play tennis with Mark on Sundays.",
        "Mark and I play tennis on Tuesdays and Fridays.",
    ),
    (
        "What time do I wake up on weekdays?",
        "I wake up at 6:30 am on weekdays.",
        "I've been waking up at 7 am on weekdays.",
    ),
    (
        "What day is the choir rehearsal?",
        "The choir rehearsal is on Tuesday.",
        "Choir rehearsal has moved to Thursday.",
    ),
    ("When is the launch?", "The launch is on March 15.", "The launch was moved to March 22."),
    # places
    (
        "Where do I keep the spare keys?",
        "I keep the spare keys under the doormat.",
        "I now keep the spare keys in the kitchen drawer.",
    ),
    (
        "Where is the old piano standing?",
        "The old piano is standing in the hall.",
        "We moved the old piano into the living room.",
    ),
    ("Where did Anna move to?", "Anna moved to Oslo.", "Anna moved to Bergen last month."),
    (
        "Where did I go on my latest business trip?",
        "I'm back from my business trip to Milan.",
        "My business trip to Vienna went well.",
    ),
    (
        "Which city is the conference in this year?",
        "The conference is in Lisbon.",
        "The conference has been moved to Madrid.",
    ),
    # names and statements
    (
        "Which bank do we use for payroll?",
        "We use Chase for payroll.",
        "We switched to Wells Fargo for payroll.",
    ),
    ("Who is my dentist?", "My dentist is Dr. Lopez.", "My dentist is Dr. Kim now."),
    (
        "Who is teaching the pottery class?",
        "The pottery class is taught by Lena.",
        "The pottery class is now taught by Marco.",
    ),
    (
        "What camera did I buy most recently?",
        "I bought a Nikon Z6 camera.",
        "I'm getting great shots with my new Canon R8 camera.",
    ),
    (
        "What is the status of the migration?",
        "The migration status is blocked.",
        "The migration status is done.",
    ),
    ("What's the project status?", "Project status: in planning.", "The project is delayed."),
    (
        "What is the wifi password?",
        "The wifi password is sunflower42.",
        "The wifi password is now bluebird77.",
    ),
    # yes and no
    (
        "Did I finish the online course on Kubernetes?",
        "I still need to finish the online course on Kubernetes.",
        "I finished the online course on Kubernetes.",
    ),
    (
        "Is the elevator still broken?",
        "The elevator is broken again.",
        "The elevator is no longer broken.",
    ),
    (
        "Do I have a spare charger for my laptop?",
        "I don't have a spare charger for my laptop.",
        "I finally have a spare charger for my laptop.",
    ),
]
"""Question, earlier claim, later claim that overtakes it."""

BOTH_STAY = [
    # another owner
    (
        "How many plants do I have on my balcony?",
        "I have 12 plants on my balcony.",
        "My sister has 20 plants on her balcony.",
    ),
    ("Where do I live?", "I live in Boston.", "My brother lives in Denver."),
    ("How far do I cycle every day?", "I cycle 10 km every day.", "Tom cycles 40 km every day."),
    (
        "What is Ann's favorite book?",
        "Ann's favorite book is Emma.",
        "Bob's favorite book is Dune.",
    ),
    # a wish, a need, a state that is over
    (
        "How many plants do I have on my balcony?",
        "I have 12 plants on my balcony.",
        "I'd like to have 20 plants on my balcony.",
    ),
    ("What's my current salary?", "My salary is $70,000.", "I'd love a salary of $100,000."),
    (
        "How many points do I need for the reward?",
        "I need 300 points for the reward.",
        "I have 200 points for the reward so far.",
    ),
    ("How many cats does Ann have?", "Ann has two cats.", "Ann used to have five cats."),
    ("Where do I live?", "I live in Berlin.", "I lived in Hamburg in 2015."),
    # another thing in the same words
    (
        "Where do I keep the spare keys?",
        "I keep the spare keys under the doormat.",
        "I keep the spare batteries in the kitchen drawer.",
    ),
    (
        "What is the marketing budget?",
        "The marketing budget is $5,000.",
        "The hiring budget is $8,000.",
    ),
    (
        "What time do I wake up on weekdays?",
        "I wake up at 6:30 am on weekdays.",
        "I go to bed at 11 pm on weekdays.",
    ),
    (
        "How long have I been learning the guitar?",
        "I've been learning the guitar for three months.",
        "I've been learning Spanish for two years.",
    ),
    (
        "How long have I been learning the guitar?",
        "I've been learning the guitar for three months.",
        "I bought my guitar three years ago.",
    ),
    ("What color is the front door?", "The front door is red.", "The back door is green."),
    ("Who is my dentist?", "My dentist is Dr. Lopez.", "My accountant is Ms. Kim."),
    (
        "How many episodes are in season 5 of the show?",
        "There are 22 episodes in season 5 of the show.",
        "There are 18 episodes in season 6 of the show.",
    ),
    # two events
    (
        "How many bass did I catch on the lake?",
        "I caught 7 bass on the lake on 7/10.",
        "We caught 9 bass on the lake on 7/22.",
    ),
    (
        "How much did I spend on the bike?",
        "I spent $40 on a helmet for the bike.",
        "I spent $120 on lights for the bike.",
    ),
    (
        "How many museums have I visited?",
        "I've visited 4 museums in Paris.",
        "I've visited 6 museums in Rome.",
    ),
    ("When did Kate visit Oslo?", "Kate visited Oslo on May 3.", "Kate visited Oslo on July 8."),
    ("Who attended the party?", "Anna attended the party.", "Boris attended the party."),
    (
        "What is the total distance of my trips?",
        "My trip to Durango was 400 miles.",
        "My trip to Moab was 600 miles.",
    ),
    (
        "How long ago did I adopt Luna?",
        "I adopted Luna 2 months ago.",
        "I adopted Luna 5 months ago.",
    ),
    # several answers at a time
    ("What books have I read?", "I read Dune.", "I read Emma."),
    ("What pets do I have?", "I have a cat named Luna.", "I have a dog named Rex."),
    ("What's my dog's name?", "My dog's name is Rex.", "My dog's name is Bella."),
    ("What instrument does Ann play?", "Ann plays the violin.", "Ann plays the piano."),
    ("Where has Ann camped?", "Ann camped at the beach.", "Ann camped in the forest."),
    ("Where did Maria volunteer?", "Maria volunteered at a shelter.", "Maria was in a hospital."),
    # the same value, or a question instead of a statement
    (
        "How many plants do I have on my balcony?",
        "I have 12 plants on my balcony.",
        "I have twelve plants on the balcony.",
    ),
    ("Where is the meeting?", "The meeting is in room 5.", "Is the meeting in room 2?"),
]
"""Question and two claims of which neither overtakes the other."""
